// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/stored_run.h"
#include "app/kloop/streams.h"
#include "app/kloop/table.h"
#include "core/base/format.h"
#include "sessions/learning/recommend.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <span>

namespace kl {
namespace {

constexpr std::size_t kShown = 8;

/// The best one whatever it is worth; behind it those that are expected to gain.
std::span<const Recommendation> worthShowing(const Advice& advice)
{
    const auto slower = std::ranges::find_if(advice.changes, [](const Recommendation& change) { return change.chance.gain <= 0; });
    const auto gaining = static_cast<std::size_t>(slower - advice.changes.begin());
    return std::span(advice.changes).first(std::min({kShown, std::max<std::size_t>(gaining, 1), advice.changes.size()}));
}

/// A stored profile; of a kernel on the recording, the recorded one.
Result<RunRecord> profileOf(Program& program, const Options& options)
{
    const Result<Params> problem = oneProblem(options);
    if (!problem)
        return problem.error();
    if (options.on == "sample" && !options.first.starts_with("run:")) {
        const Result<Address> kernel = program.kernel(options.first);
        const Result<Workbench*> bench = kernel ? program.bench() : Result<Workbench*>(kernel.error());
        return bench ? (*bench)->profile(*kernel, *problem, options.tier, program.job()) : Result<RunRecord>(bench.error());
    }
    const Result<RunId> id = resolveRun(program, options.first, *problem, WhichRuns::profiles);
    const Result<Store*> store = id ? program.store() : Result<Store*>(id.error());
    Result<RunRecord> run = store ? (*store)->run(*id) : Result<RunRecord>(store.error());
    if (run && !isProfile(*run))
        return Error{ErrorCode::badInput,
                     fmt::format("run:{} is no profile: nothing says what limits it.", run->id.text),
                     fmt::format("Profile it: kloop profile {}", toText(run->kernel)),
                     options.first,
                     {}};
    return run;
}

Json toJson(const Advice& advice, const RunRecord& run)
{
    Json answer{{"schema", "kernelloop.recommend/1"},
                {"run", run.id.text},
                {"kernel", advice.kernel},
                {"problem", advice.problem},
                {"class", advice.classId},
                {"sentence", advice.sentence},
                {"calibrated", advice.calibrated},
                {"cases", advice.cases},
                {"own_cases", advice.own},
                {"pays", kFixPays},
                {"changes", Json::array()}};
    for (const Recommendation& change : advice.changes)
        answer["changes"].push_back({{"kind", change.chance.kind},
                                     {"title", change.title},
                                     {"confidence", change.chance.chance},
                                     {"expected_reduction", change.chance.reduction()},
                                     {"similar_cases", change.chance.cases},
                                     {"similar_kernels", change.chance.kernels},
                                     {"by", change.chance.learned ? "cases" : "tree"},
                                     {"ready", change.ready}});
    return answer;
}

} // namespace

Result<int> commandRecommend(Program& program, const Options& options)
{
    const Result<RunRecord> run = profileOf(program, options);
    const Result<const Catalog*> catalog = program.catalog();
    const Result<const DiagnosisTree*> tree = program.tree();
    const Result<Store*> store = program.store();
    if (!run)
        return run.error();
    if (!catalog || !tree || !store)
        return !catalog ? catalog.error() : !tree ? tree.error() : store.error();
    const Result<std::shared_ptr<const FixModel>> model = trainedModel(**store, **catalog, **tree);
    if (!model)
        return model.error();
    const Advice advice = advise(*run, **catalog, **tree, **model);
    if (program.printed(toJson(advice, *run)))
        return 0;
    printText("{} {}: {}\n{}\n", advice.kernel, advice.problem, advice.classId, toned(advice.sentence, Tone::strong));
    Table table({"change", "chance>", "expected>", "similar cases>", "by", "ready"});
    for (const Recommendation& change : worthShowing(advice))
        table.add({change.title, formatPercent(std::round(100 * change.chance.chance)), formatRatio(std::exp(change.chance.gain)),
                   fmt::format("{}", change.chance.cases), change.chance.learned ? "cases" : "tree",
                   change.ready.empty() ? std::string("an edit of the source") : fmt::format("{}", fmt::join(change.ready, " "))});
    if (!table.empty())
        printText(
            "\n{}\nChance: that it makes the kernel at least {:.2f} times as fast. {} measured changes are known, {} of this database.\n",
            table.text("  "), kFixPays, advice.cases, advice.own);
    return 0;
}

} // namespace kl
