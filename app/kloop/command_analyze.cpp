// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/opened_files.h"
#include "app/kloop/program.h"
#include "app/kloop/render.h"
#include "core/base/parallel.h"
#include "core/codec/run_codec.h"
#include "profiler/import/ncu_opinion.h"
#include "sessions/engine/hot_lines.h"
#include "sessions/import/store_runs.h"

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
        fmt::print(stderr, "kloop: the runs were not stored: {}\n", stored.error().message);
    return stored.ok();
}

Json resultOf(const RunRecord& run, const Catalogue& catalogue)
{
    Json json = runToJsonWithLines(run, catalogue);
    if (!run.imported || !run.metrics)
        return json;
    const auto opinion = ncuOpinion(run.imported->rules, *run.metrics);
    json["imported"]["top_rule"] =
        opinion ? Json{{"rule", opinion->rule->rule}, {"class", opinion->klass}, {"agrees", opinion->klass == run.diagnosis->finding.klass}}
                : Json(nullptr);
    return json;
}

} // namespace

Result<int> commandAnalyze(Program& program, const Options& options)
{
    const Result<const Catalogue*> catalogue = program.catalogue();
    if (!catalogue)
        return catalogue.error();
    const Result<OpenedFiles> opened = openFiles(program, options);
    if (!opened)
        return opened.error();
    std::future<Result<std::vector<bool>>> storing; // takes as long as writing the answer does
    if (options.import.keep && !opened->foreign.empty())
        storing = std::async(std::launch::async, [store = program.store(), &runs = opened->foreign] {
            return store ? storeRuns(**store, runs) : Result<std::vector<bool>>(store.error());
        });
    std::vector<Json> results(opened->runs.size());
    inParallel(results.size(), [&](std::size_t i) { results[i] = resultOf(opened->runs[i], **catalogue); });
    Json answer{{"schema", "kernelloop.analyze/1"}, {"results", std::move(results)}};
    addTrouble(answer, *opened);
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!tree)
        return tree.error();
    const bool printed = program.printed(answer);
    const bool stored = storing.valid() && kept(storing.get());
    if (!printed)
        for (const RunRecord& run : opened->runs)
            fmt::print("{}{}{}{}{}", &run == &opened->runs.front() ? "" : "\n", renderRun(run, stored && run.imported),
                       options.import.explain && run.diagnosis ? '\n' + renderExplanation(*run.diagnosis, **tree) : std::string(),
                       renderHotLines(run, **catalogue), renderNcuOpinion(run));
    return opened->exit;
}

} // namespace kl
