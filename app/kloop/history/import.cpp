// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/opened_files.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/explain.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/json_list.h"
#include "profiler/protocol/kernel_pattern.h"
#include "sessions/import/import_runs.h"
#include "sessions/import/store_runs.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace kl::cli {
namespace {

/// What an import of several files came to.
struct Imported {
    std::vector<ImportedRun> runs;
    OpenedFiles files;               ///< its notes and errors; no runs
    std::set<std::string> unmatched; ///< names of kernels that --kernel leaves out
};

/// Files of other tools, which are read whole.
Result<std::vector<ImportedRun>> importWhole(Program& program, const FileOptions& options, OpenedFiles& files,
                                             std::set<std::string>& unmatched)
{
    KL_ASSIGN(const OpenedFiles opened, openFiles(program, options, {}, &unmatched));
    const Result<Store*> store = program.store();
    KL_ASSIGN(const std::vector<bool> fresh, store ? storeRuns(**store, opened.runs) : Result<std::vector<bool>>(store.error()));
    files.notes.insert(files.notes.end(), opened.notes.begin(), opened.notes.end());
    std::vector<ImportedRun> rows;
    for (std::size_t i = 0; i < opened.runs.size(); ++i)
        rows.push_back(inShort(opened.runs[i], fresh[i]));
    return rows;
}

Result<std::vector<ImportedRun>> importFile(Program& program, const FileOptions& options, const std::string& path, Imported& all)
{
    const Result<DiagnosisTree const*> tree = program.tree();
    const Result<KernelPattern> pattern = KernelPattern::parse(options.kernel);
    if (!tree || !pattern)
        return tree ? pattern.error() : tree.error();
    if (std::error_code none; std::filesystem::is_regular_file(path, none)) {
        KL_ASSIGN(const PlainFile file, PlainFile::open(path));
        if (mayHoldOwnRuns(file))
            return importRuns(
                file, path, **tree, [&program] { return program.catalog(); }, [&program] { return program.store(); },
                [&](const RunRecord& run) {
                    const bool wanted = pattern->matches(nameFor(run));
                    if (!wanted)
                        all.unmatched.insert(nameFor(run));
                    return wanted;
                });
    }
    FileOptions one = options;
    one.files = {path};
    std::set<std::string> unmatched;
    Result<std::vector<ImportedRun>> runs = importWhole(program, one, all.files, unmatched);
    all.unmatched.insert(unmatched.begin(), unmatched.end());
    if (!runs && runs.error() == makeNoKernelError(options.kernel, unmatched))
        return std::vector<ImportedRun>();
    return runs;
}

/// One that cannot be read does not keep the others from being stored.
Result<Imported> importFiles(Program& program, const FileOptions& options)
{
    Imported all;
    for (const std::string& path : options.files) {
        Result<std::vector<ImportedRun>> runs = importFile(program, options, path, all);
        if (!runs && options.files.size() == 1)
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
        return all.files.errors.size() < options.files.size() ? makeNoKernelError(options.kernel, all.unmatched) : makeNoFileReadError();
    return all;
}

const char* describeImport(const ImportedRun& run)
{
    return run.fresh ? "new" : "known";
}

Result<int> importAll(Program& program, const FileOptions& options)
{
    KL_ASSIGN(const Imported imported, importFiles(program, options));
    if (program.options().json) {
        Json answer{{"schema", "kernelloop.import/1"}, {"results", Json::array()}};
        addTrouble(answer, imported.files);
        std::vector<std::string> items;
        for (const ImportedRun& run : imported.runs)
            items.push_back(encodePrettyItem({{"run", run.id.text},
                                              {"kernel", run.kernel},
                                              {"problem", run.problem},
                                              {"class", run.classId},
                                              {"state", describeImport(run)}}));
        program.printList(answer, "results", std::move(items));
        return imported.files.exit;
    }
    program.clearProgress();
    Table table({"Run", "Kernel", "GPU time>", "Limited by", ""});
    for (const ImportedRun& run : imported.runs)
        table.add({"run:" + run.id.text, run.kernel, run.gpuNs ? formatTime(*run.gpuNs) : kNoValue, run.classId, describeImport(run)});
    printText("{}", table.text());
    return imported.files.exit;
}

} // namespace

Runner addImport(CLI::App& app)
{
    const auto o = std::make_shared<FileOptions>();
    app.add_option("FILE", o->files, kMeasurementFiles)->required();
    addKernelFilter(app, o->kernel);
    return [o](Program& program) { return importAll(program, *o); };
}

} // namespace kl::cli
