// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/opened_files.h"
#include "app/kloop/program.h"
#include "app/kloop/render.h"
#include "app/kloop/streams.h"
#include "core/base/parallel.h"
#include "core/codec/json_list.h"
#include "core/codec/run_codec.h"
#include "profiler/import/ncu_opinion.h"
#include "sessions/engine/hot_lines.h"
#include "sessions/import/store_runs.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <future>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// Whether the database took them; one that cannot be written to is no reason not to answer.
bool kept(const Result<std::vector<bool>>& stored)
{
    if (!stored)
        say("kloop: the runs were not stored: {}\n", stored.error().message);
    return stored.ok();
}

/// `catalog`: for runs whose lines were sampled.
Json resultOf(const RunRecord& run, const Catalog* catalog)
{
    Json json = run.sourceProfile ? runToJsonWithLines(run, *catalog) : runToJson(run);
    if (!run.imported || !run.metrics)
        return json;
    const auto opinion = ncuOpinion(run.imported->rules, *run.metrics);
    json["imported"]["top_rule"] = opinion ? Json{{"rule", opinion->rule->rule},
                                                  {"class", opinion->classId},
                                                  {"agrees", opinion->classId == run.diagnosis->finding.classId}}
                                           : Json(nullptr);
    return json;
}

void printOpened(Program& program, const OpenedFiles& opened, const Catalog* catalog)
{
    std::vector<std::string> results(opened.runs.size());
    inParallel(results.size(), [&](std::size_t i) { results[i] = encodePrettyItem(resultOf(opened.runs[i], catalog)); });
    Json answer{{"schema", "kernelloop.analyze/1"}, {"results", Json::array()}};
    addTrouble(answer, opened);
    program.printList(answer, "results", std::move(results));
}

Status printWords(Program& program, const OpenedFiles& opened, const Catalog& catalog, bool explain, bool stored)
{
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!tree)
        return tree.error();
    for (const RunRecord& run : opened.runs)
        printText("{}{}{}{}{}", &run == &opened.runs.front() ? "" : "\n", renderRun(run, stored && run.imported),
                  explain ? renderExplanation(run, **tree) : std::string(), renderHotLines(run, catalog), renderNcuOpinion(run));
    return {};
}

/// Those of other tools: the others have their home.
std::vector<const RunRecord*> foreignOf(const OpenedFiles& opened)
{
    std::vector<const RunRecord*> runs;
    for (std::size_t i = 0; i < opened.runs.size(); ++i)
        if (opened.foreign[i])
            runs.push_back(&opened.runs[i]);
    return runs;
}

} // namespace

Result<int> commandAnalyze(Program& program, const Options& options)
{
    const bool known = program.databaseExists();
    std::future<Result<Store*>> database; // making one, or looking through it for damage, takes as long as reading a file does
    const auto open = [&] {
        if (options.import.keep && !database.valid() && (known || options.import.kernel.empty()))
            database = std::async(std::launch::async, [&program] { return program.store(); });
    };
    if (known)
        open();
    const Result<OpenedFiles> opened = openFiles(program, options, open); // none is made where there is nothing to keep
    if (!opened)
        return opened.error();
    if (const Result<Store*> found = database.valid() ? database.get() : Result<Store*>(nullptr); !found && known)
        return found.error();
    const bool asked =
        !options.json || std::ranges::any_of(opened->runs, [](const RunRecord& run) { return run.sourceProfile.has_value(); });
    const Result<const Catalog*> catalog = asked ? program.catalog() : Result<const Catalog*>(nullptr);
    if (!catalog)
        return catalog.error();
    std::future<Result<std::vector<bool>>> storing; // takes as long as writing the answer does
    if (const std::vector<const RunRecord*> foreign = foreignOf(*opened); options.import.keep && !foreign.empty())
        storing = std::async(std::launch::async, [&program, foreign] {
            const Result<Store*> store = program.store();
            return store ? storeRuns(**store, foreign) : Result<std::vector<bool>>(store.error());
        });
    if (options.json)
        printOpened(program, *opened, *catalog);
    const bool stored = storing.valid() && kept(storing.get());
    if (!options.json)
        if (const Status printed = printWords(program, *opened, **catalog, options.explain, stored); !printed)
            return printed.error();
    return opened->exit;
}

} // namespace kl
