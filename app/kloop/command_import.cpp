// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/explain.h"
#include "app/kloop/opened_files.h"
#include "app/kloop/program.h"
#include "app/kloop/streams.h"
#include "app/kloop/table.h"
#include "core/base/format.h"
#include "core/codec/json_list.h"
#include "profiler/protocol/kernel_pattern.h"
#include "sessions/import/bundle_writer.h"
#include "sessions/import/import_runs.h"
#include "sessions/import/store_runs.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace kl {
namespace {

constexpr std::string_view kRunPrefix = "run:";

/// One run, or every run of a family or variant.
Result<std::vector<RunId>> runsNamed(Store& store, const std::string& text)
{
    if (text.starts_with(kRunPrefix)) {
        const Result<RunId> id = store.runStarting(text.substr(kRunPrefix.size()));
        return id ? Result<std::vector<RunId>>(std::vector{*id}) : id.error();
    }
    RunQuery query;
    query.kernel = text;
    std::vector<RunId> ids;
    for (;;) {
        const Result<std::vector<RunSummary>> page = store.runs(query);
        if (!page)
            return page.error();
        for (const RunSummary& run : *page)
            ids.push_back(run.id);
        if (page->size() < static_cast<std::size_t>(query.limit))
            break;
        query.beforeStartedAt = page->back().startedAt;
        query.beforeId = page->back().id.text;
    }
    if (ids.empty())
        return Error{ErrorCode::notFound,
                     fmt::format("The database holds no run of {}.", text),
                     "Give run:ID, or a kernel that was measured.",
                     text,
                     {}};
    return ids;
}

/// The runs of every text, each once.
Result<std::vector<RunId>> runsToExport(Store& store, const std::vector<std::string>& texts)
{
    std::vector<RunId> runs;
    std::set<RunId> seen;
    for (const std::string& text : texts) {
        Result<std::vector<RunId>> ids = runsNamed(store, text);
        if (!ids)
            return ids.error();
        for (RunId& id : *ids)
            if (seen.insert(id).second)
                runs.push_back(std::move(id));
    }
    return runs;
}

/// A few runs at a time: a database holds more than memory does.
Status writeRuns(Store& store, const std::vector<RunId>& ids, BundleWriter& writer)
{
    constexpr std::size_t kTogether = 16;
    for (std::size_t from = 0; from < ids.size(); from += kTogether) {
        std::vector<RunRecord> runs;
        for (std::size_t i = from; i < std::min(from + kTogether, ids.size()); ++i) {
            Result<RunRecord> run = store.run(ids[i]);
            if (!run)
                return run.error();
            runs.push_back(std::move(*run));
        }
        if (Status written = writer.add(runs); !written)
            return written;
    }
    return writer.finish();
}

/// What an import of several files came to.
struct Imported {
    std::vector<ImportedRun> runs;
    OpenedFiles files; ///< its notes and errors; no runs
};

/// Files of other tools, which are read whole.
Result<std::vector<ImportedRun>> importWhole(Program& program, const Options& options, OpenedFiles& files)
{
    const Result<OpenedFiles> opened = openFiles(program, options);
    if (!opened)
        return opened.error();
    const Result<Store*> store = program.store();
    const Result<std::vector<bool>> fresh = store ? storeRuns(**store, opened->runs) : Result<std::vector<bool>>(store.error());
    if (!fresh)
        return fresh.error();
    files.notes.insert(files.notes.end(), opened->notes.begin(), opened->notes.end());
    std::vector<ImportedRun> rows;
    for (std::size_t i = 0; i < opened->runs.size(); ++i)
        rows.push_back(inShort(opened->runs[i], (*fresh)[i]));
    return rows;
}

Result<std::vector<ImportedRun>> importFile(Program& program, const Options& options, const std::string& path, OpenedFiles& files)
{
    const Result<DiagnosisTree const*> tree = program.tree();
    const Result<KernelPattern> pattern = KernelPattern::parse(options.import.kernel);
    if (!tree || !pattern)
        return tree ? pattern.error() : tree.error();
    if (std::error_code none; std::filesystem::is_regular_file(path, none)) {
        const Result<PlainFile> file = PlainFile::open(path);
        if (!file)
            return file.error();
        if (mayHoldOwnRuns(*file))
            return importRuns(
                *file, path, **tree, [&program] { return program.catalog(); }, [&program] { return program.store(); },
                [&pattern](const RunRecord& run) { return pattern->matches(nameFor(run)); });
    }
    Options one = options;
    one.import.files = {path};
    Result<std::vector<ImportedRun>> runs = importWhole(program, one, files);
    if (!runs && runs.error() == noKernelNamed(options))
        return std::vector<ImportedRun>();
    return runs;
}

/// One that cannot be read does not keep the others from being stored.
Result<Imported> importFiles(Program& program, const Options& options)
{
    Imported all;
    for (const std::string& path : options.import.files) {
        Result<std::vector<ImportedRun>> runs = importFile(program, options, path, all.files);
        if (!runs && options.import.files.size() == 1)
            return runs.error();
        if (runs) {
            std::ranges::move(*runs, std::back_inserter(all.runs));
            continue;
        }
        const int code = explain(runs.error(), false);
        all.files.exit = all.files.exit == 0 ? code : all.files.exit;
        all.files.errors.push_back(runs.error());
    }
    if (all.runs.empty())
        return all.files.errors.size() < options.import.files.size() ? noKernelNamed(options) : noFileRead();
    return all;
}

const char* stateOf(const ImportedRun& run)
{
    return run.fresh ? "new" : "known";
}

} // namespace

Result<int> commandImport(Program& program, const Options& options)
{
    const Result<Imported> imported = importFiles(program, options);
    if (!imported)
        return imported.error();
    if (options.json) {
        Json answer{{"schema", "kernelloop.import/1"}, {"results", Json::array()}};
        addTrouble(answer, imported->files);
        std::vector<std::string> items;
        for (const ImportedRun& run : imported->runs)
            items.push_back(encodePrettyItem(
                {{"run", run.id.text}, {"kernel", run.kernel}, {"problem", run.problem}, {"class", run.classId}, {"state", stateOf(run)}}));
        program.printList(answer, "results", std::move(items));
        return imported->files.exit;
    }
    program.clearProgress();
    Table table({"run", "kernel", "GPU time>", "limited by", ""});
    for (const ImportedRun& run : imported->runs)
        table.add({"run:" + run.id.text, run.kernel, run.gpuNs ? formatTime(*run.gpuNs) : kNoValue, run.classId, stateOf(run)});
    printText("{}", table.text());
    return imported->files.exit;
}

Result<int> commandExport(Program& program, const Options& options)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    const Result<std::vector<RunId>> ids = runsToExport(**store, options.import.runs);
    if (!ids)
        return ids.error();
    const std::string& file = options.import.output;
    Result<BundleWriter> writer = BundleWriter::begin(file);
    if (!writer)
        return writer.error();
    if (const Status written = writeRuns(**store, *ids, *writer); !written)
        return written.error();
    if (!program.printed(Json{{"schema", "kernelloop.export/1"}, {"file", file}, {"runs", ids->size()}, {"bytes", writer->bytes()}}))
        printText("{} {} in {}, {}.\n", ids->size(), ids->size() == 1 ? "run" : "runs", file,
                  formatBytes(static_cast<double>(writer->bytes())));
    return 0;
}

} // namespace kl
