// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/opened_files.h"
#include "app/kloop/program.h"
#include "app/kloop/streams.h"
#include "app/kloop/table.h"
#include "core/base/format.h"
#include "core/base/write_file.h"
#include "core/codec/run_codec.h"
#include "sessions/import/bundle.h"
#include "sessions/import/store_runs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kl {
namespace {

constexpr std::string_view kRunPrefix = "run:";

std::string kernelName(const RunRecord& run)
{
    return run.imported && !run.imported->kernel.empty() ? run.imported->kernel : toText(run.kernel);
}

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

Result<std::vector<RunRecord>> runsToExport(Store& store, const std::vector<std::string>& texts)
{
    std::vector<RunRecord> runs;
    std::set<RunId> seen;
    for (const std::string& text : texts) {
        const Result<std::vector<RunId>> ids = runsNamed(store, text);
        if (!ids)
            return ids.error();
        for (const RunId& id : *ids) {
            if (!seen.insert(id).second)
                continue;
            Result<RunRecord> run = store.run(id);
            if (!run)
                return run.error();
            runs.push_back(std::move(*run));
        }
    }
    return runs;
}

std::string plainJson(const std::vector<RunRecord>& runs)
{
    Json json{{"schema", "kernelloop.runs/1"}, {"results", Json::array()}};
    for (const RunRecord& run : runs)
        json["results"].push_back(runToJson(run));
    return encodePretty(json) + '\n';
}

} // namespace

Result<int> commandImport(Program& program, const Options& options)
{
    const Result<OpenedFiles> opened = openFiles(program, options);
    if (!opened)
        return opened.error();
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    const Result<std::vector<bool>> fresh = storeRuns(**store, opened->runs);
    if (!fresh)
        return fresh.error();
    Json answer{{"schema", "kernelloop.import/1"}, {"results", Json::array()}};
    addTrouble(answer, *opened);
    Table table({"run", "kernel", "GPU time>", "limited by", ""});
    for (std::size_t i = 0; i < opened->runs.size(); ++i) {
        const RunRecord& run = opened->runs[i];
        const std::string klass = run.diagnosis ? run.diagnosis->finding.klass : std::string();
        const char* state = (*fresh)[i] ? "new" : "known";
        answer["results"].push_back(
            {{"run", run.id.text}, {"kernel", kernelName(run)}, {"problem", toText(run.problem)}, {"class", klass}, {"state", state}});
        table.add({"run:" + run.id.text, kernelName(run), run.timing ? formatTime(run.timing->gpu.median) : kNoValue, klass, state});
    }
    if (!program.printed(answer))
        printText("{}", table.text());
    return opened->exit;
}

Result<int> commandExport(Program& program, const Options& options)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    const Result<std::vector<RunRecord>> runs = runsToExport(**store, options.import.runs);
    if (!runs)
        return runs.error();
    const std::string& file = options.import.output;
    const std::string bytes = file.ends_with(".json") ? plainJson(*runs) : writeBundle(*runs);
    if (const Status written = writeFile(file, bytes); !written)
        return written.error();
    if (!program.printed(Json{{"schema", "kernelloop.export/1"}, {"file", file}, {"runs", runs->size()}, {"bytes", bytes.size()}}))
        printText("{} {} in {}, {}.\n", runs->size(), runs->size() == 1 ? "run" : "runs", file,
                  formatBytes(static_cast<double>(bytes.size())));
    return 0;
}

} // namespace kl
