// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/render/render.h"
#include "app/kloop/search/space_asked.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/run_codec.h"
#include "sessions/measure/workbench.h"
#include "sessions/search/best_point.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

struct SearchOptions {
    SpaceOptions space;
    std::string strategy = "brute_force";
    std::uint64_t seed = 1;
    double budget = 0; ///< seconds of measuring; 0: no limit
    std::size_t top = 10;
    bool fresh = false; ///< measure again what an earlier search measured
    int jobs = 0;       ///< threads that compile; 0: one per processor
};

Json pointJson(const TunedPoint& point)
{
    Json json{{"kernel", point.kernel},   {"point", toText(point.tunables)}, {"gpu_ns", nullptr},
              {"refined", point.refined}, {"remembered", point.remembered},  {"failed", nullptr}};
    if (point.ns)
        json["gpu_ns"] = *point.ns;
    if (!point.why.empty())
        json["failed"] = point.why;
    return json;
}

Json answerJson(const BestPoint& winner, const SearchOptions& asked)
{
    const TuneResult& result = winner.tuned;
    const SpaceBuild& build = result.build;
    Json json{{"schema", "kernelloop.search/1"},
              {"kernel", build.space.kernel},
              {"device", result.device},
              {"arch", build.arch},
              {"problem", build.space.problem},
              {"strategy", asked.strategy},
              {"seed", asked.seed},
              {"total", build.space.points.size()},
              {"gated", build.points.size()},
              {"programs", build.candidates().size()},
              {"compile_seconds", build.seconds},
              {"measure_seconds", result.seconds},
              {"measured", result.points.size()},
              {"left", result.left},
              {"points", Json::array()},
              {"best", nullptr},
              {"wrong", Json::array()},
              {"comparison", nullptr}};
    for (const TunedPoint& point : result.points)
        json["points"].push_back(pointJson(point));
    for (const WrongPoint& wrong : winner.wrong)
        json["wrong"].push_back(fmt::format("{}: {}", wrong.kernel, wrong.reason));
    if (winner.run)
        json["best"] = {{"kernel", toText(winner.run->kernel)},
                        {"run", winner.run->id.text},
                        {"gpu_ns", winner.run->timing ? Json(winner.run->timing->gpu.median) : Json(nullptr)},
                        {"speedup", winner.run->speedup ? Json(*winner.run->speedup) : Json(nullptr)}};
    if (winner.comparison)
        json["comparison"] = comparisonToJson(*winner.comparison);
    return json;
}

void print(const BestPoint& winner, std::size_t top)
{
    const TuneResult& result = winner.tuned;
    const SpaceBuild& build = result.build;
    printText("{} on {}, {}\n", build.space.kernel, result.device, build.space.problem);
    printText(
        "  {} combinations, {} pass the gates, {} distinct programs with little local memory that fit on an SM; compiled in {:.1f} s\n",
        build.space.points.size(), build.points.size(), build.candidates().size(), build.seconds);
    const auto remembered = std::ranges::count_if(result.points, &TunedPoint::remembered);
    printText("  {} timed in {:.1f} s{}{}\n", result.points.size(), result.seconds,
              remembered > 0 ? fmt::format(", {} of them by an earlier search", remembered) : "",
              result.left > 0 ? fmt::format("; {} were not timed within the budget", result.left) : "");
    Table table({"", "GPU time>", "Tunables", ""});
    for (std::size_t i = 0; i < std::min(top, result.points.size()); ++i) {
        const TunedPoint& point = result.points[i];
        table.add({fmt::format("{}", i + 1), point.ns ? formatTime(*point.ns) : "–", toText(point.tunables),
                   !point.ns       ? point.why
                   : point.refined ? ""
                                   : "timed briefly"});
    }
    printText("{}", table.text("  "));
    for (const WrongPoint& wrong : winner.wrong)
        printText("  Excluded as incorrect: {}: {}\n", wrong.kernel, wrong.reason);
    if (winner.run)
        printText("\n{}", renderRun(*winner.run));
    if (winner.comparison)
        printText("\n{}", renderComparison(*winner.comparison));
}

Result<int> searchTunables(Program& program, const SearchOptions& asked)
{
    KL_ASSIGN(const SpaceAsked space, askedSpace(program, asked.space, [&] { return program.chip(); }));
    KL_ASSIGN(auto* bench, program.bench());
    TunePlan plan;
    plan.strategy = strategyFrom(asked.strategy).value_or(TuneStrategy::bruteForce);
    plan.seed = asked.seed;
    plan.budgetSeconds = asked.budget;
    plan.jobs = asked.jobs;
    plan.fresh = asked.fresh;
    KL_ASSIGN(const BestPoint best, findBest(*bench, {space.family, space.variant, space.fixed, space.problem}, plan, program.job()));
    if (!program.printed(answerJson(best, asked)))
        print(best, asked.top);
    return best.run ? 0 : exitCode(ErrorCode::kernelFailed);
}

} // namespace

Runner addSearch(CLI::App& app)
{
    const auto o = std::make_shared<SearchOptions>();
    app.add_option("KERNEL", o->space.kernel, "family or family/variant; tunables after @ are fixed, e.g. attention/fused@WARPS=4")
        ->required();
    addSpaceProblem(app, o->space);
    app.add_option("--strategy", o->strategy,
                   "As in Kernel Tuner: brute_force (all in order), random_sample (all, shuffled), greedy_mls (neighbors of the best, "
                   "starting from the default)")
        ->check(CLI::IsMember({"brute_force", "random_sample", "greedy_mls"}))
        ->capture_default_str();
    app.add_option("--seed", o->seed, "Seed of random_sample and greedy_mls")->capture_default_str();
    app.add_option("--budget", o->budget, "Seconds to spend on measuring (default: until all are measured)")->check(CLI::Range(0.0, 1e6));
    app.add_option("--top", o->top, "Rows of the table")->check(CLI::Range(1, 100000))->capture_default_str();
    app.add_flag("--fresh", o->fresh, "Measure again what an earlier search measured");
    addJobs(app, o->jobs);
    app.footer("The gates of kloop space and the compiler reject combinations first; each remaining program is timed briefly, the best\n"
               "ones longer. The best that is correct on the whole suite is compared with the default (A/B) and stored. After Ctrl-C,\n"
               "the same command continues where it stopped.");
    return [o](Program& program) { return searchTunables(program, *o); };
}

} // namespace kl
