// SPDX-License-Identifier: MIT
#include "sessions/learning/recommend.h"
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/common/stored_run.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct RecommendOptions {
    std::string profile;
    std::vector<std::string> problems;
};

constexpr std::size_t kShown = 8;

/// In the order of the advice: the recommended change, and the first that are expected to gain.
std::vector<const Recommendation*> selectWorthShowing(const Advice& advice)
{
    std::vector<const Recommendation*> shown;
    for (std::size_t i = 0; i < advice.changes.size(); ++i)
        if (i == advice.best || (advice.changes[i].chance.gain > 0 && shown.size() < kShown))
            shown.push_back(&advice.changes[i]);
    return shown;
}

/// A stored profile; of a kernel on the recording, the recorded one.
Result<RunRecord> loadProfile(Program& program, const RecommendOptions& options)
{
    KL_ASSIGN(const Params problem, oneProblem(options.problems));
    if (program.options().onSample() && !options.profile.starts_with("run:")) {
        const Result<Address> kernel = program.kernel(options.profile);
        const Result<Workbench*> bench = kernel ? program.bench() : Result<Workbench*>(kernel.error());
        return bench ? (*bench)->profile(*kernel, problem, kSessionTier, program.job()) : Result<RunRecord>(bench.error());
    }
    const Result<RunId> id = resolveRun(program, options.profile, problem, WhichRuns::profiles);
    const Result<Store*> store = id ? program.store() : Result<Store*>(id.error());
    Result<RunRecord> run = store ? (*store)->runWithoutCode(*id) : Result<RunRecord>(store.error());
    if (run && !isProfile(*run)) {
        NextStep step{StepId::profile, {{StepArgument::kernel, toText(run->kernel)}, {StepArgument::problem, toText(run->problem)}}};
        step.set(StepArgument::source, run->source == Source::sample ? "sample" : "");
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("run:{} is not a profile: it has no finding.", run->id.text),
                     .hint = "Profile it.",
                     .where = options.profile}
            .leadTo(std::move(step));
    }
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
                {"recommended", advice.changes.empty() ? Json(nullptr) : Json(advice.changes[advice.best].chance.kind)},
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

Result<int> recommendFixes(Program& program, const RecommendOptions& options)
{
    const Result<RunRecord> run = loadProfile(program, options);
    const Result<const Catalog*> catalog = program.catalog();
    const Result<const DiagnosisTree*> tree = program.tree();
    const Result<Store*> store = program.store();
    if (!run)
        return run.error();
    if (!catalog || !tree || !store)
        return !catalog ? catalog.error() : !tree ? tree.error() : store.error();
    KL_ASSIGN(const std::shared_ptr<const FixModel> model, trainModel(**store, **catalog, **tree));
    const Advice advice = advise(*run, **catalog, **tree, *model);
    if (program.printAsJson(toJson(advice, *run)))
        return 0;
    printText("{} {}: {}\n{}\n", advice.kernel, advice.problem, advice.classId, applyTone(advice.sentence, Tone::strong));
    Table table({"Change", "Chance>", "Expected>", "Similar cases>", "Based on", "Ready-made as"});
    for (const Recommendation* change : selectWorthShowing(advice))
        table.add({change->title, formatPercent(std::round(100 * change->chance.chance)), formatRatio(std::exp(change->chance.gain)),
                   fmt::format("{}", change->chance.cases), change->chance.learned ? "cases" : "tree",
                   change->ready.empty() ? std::string("(edit the source)") : fmt::format("{}", fmt::join(change->ready, " "))});
    if (!table.empty())
        printText("\n{}\nChance of a speedup of at least {:.2f}×, based on {} measured changes, {} of them in this database.\n",
                  table.text("  "), kFixPays, advice.cases, advice.own);
    return 0;
}

} // namespace

Runner addRecommend(CLI::App& app)
{
    const auto o = std::make_shared<RecommendOptions>();
    app.add_option("PROFILE", o->profile, "run:ID or the start of one, or family/variant for its newest profile")->required();
    addProblems(app, o->problems, "Sizes, e.g. M=4096,N=4096");
    app.footer("A change pays off if the kernel becomes at least 1.20 times as fast, which is what gate 5 requires. Learned from shipped\n"
               "measurements and your own; see `kloop learn model`. Without a GPU: kloop recommend transpose/naive --on sample");
    return [o](Program& program) { return recommendFixes(program, *o); };
}

} // namespace kl::cli
