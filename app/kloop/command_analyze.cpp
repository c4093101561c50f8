// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/opened_files.h"
#include "app/kloop/program.h"
#include "app/kloop/render.h"
#include "core/codec/run_codec.h"
#include "profiler/import/ncu_opinion.h"
#include "sessions/engine/hot_lines.h"
#include "sessions/import/store_runs.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// Whether the database took them; one that cannot be written to is no reason not to answer.
bool keep(Program& program, const std::vector<RunRecord>& runs)
{
    const Result<Store*> store = program.store();
    Result<std::vector<bool>> stored = store ? storeRuns(**store, runs) : Result<std::vector<bool>>(store.error());
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
    const bool stored = options.import.keep && !opened->foreign.empty() && keep(program, opened->foreign);
    Json answer{{"schema", "kernelloop.analyze/1"}, {"results", Json::array()}};
    addTrouble(answer, *opened);
    for (const RunRecord& run : opened->runs)
        answer["results"].push_back(resultOf(run, **catalogue));
    const Result<const DiagnosisTree*> tree = program.tree();
    if (!tree)
        return tree.error();
    if (!program.printed(answer))
        for (const RunRecord& run : opened->runs)
            fmt::print("{}{}{}{}{}", &run == &opened->runs.front() ? "" : "\n", renderRun(run, stored && run.imported),
                       options.import.explain && run.diagnosis ? '\n' + renderExplanation(*run.diagnosis, **tree) : std::string(),
                       renderHotLines(run, **catalogue), renderNcuOpinion(run));
    return opened->exit;
}

} // namespace kl
