// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/render.h"
#include "app/kloop/space_asked.h"
#include "app/kloop/table.h"
#include "core/base/format.h"
#include "core/codec/run_codec.h"
#include "sessions/search/tuner.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// The fastest point that is right on the whole suite, and what was seen of those before it.
struct Winner {
    std::optional<RunRecord> run;
    std::vector<std::string> wrong;       ///< faster ones, with what is wrong
    std::optional<Comparison> comparison; ///< default against it; nothing when it is the default
};

Result<Winner> judgeBest(Program& program, Workbench& bench, const SpaceAsked& asked, const TuneResult& result)
{
    Winner winner;
    const Address standing = addressOf(*asked.family, *asked.variant, {});
    for (const TunedPoint& point : result.points) {
        if (!point.ns || !point.refined)
            break;
        const Address address = addressOf(*asked.family, *asked.variant, point.tunables);
        Result<RunRecord> run = bench.run(address, asked.problem, true, program.job());
        if (!run)
            return run.error();
        if (!isUsable(*run)) {
            winner.wrong.push_back(fmt::format("{}: {}", toText(address), run->reason.empty() ? run->correctness.reason : run->reason));
            continue;
        }
        winner.run = std::move(*run);
        if (!(address == standing)) {
            Result<Comparison> comparison = bench.ab(standing, address, asked.problem, 1.0, program.job());
            if (!comparison)
                return comparison.error();
            winner.comparison = std::move(*comparison);
        }
        break;
    }
    return winner;
}

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

Json answerJson(const TuneResult& result, const Winner& winner, const SearchOptions& asked)
{
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
              {"wrong", winner.wrong},
              {"comparison", nullptr}};
    for (const TunedPoint& point : result.points)
        json["points"].push_back(pointJson(point));
    if (winner.run)
        json["best"] = {{"kernel", toText(winner.run->kernel)},
                        {"run", winner.run->id.text},
                        {"gpu_ns", winner.run->timing ? Json(winner.run->timing->gpu.median) : Json(nullptr)},
                        {"speedup", winner.run->speedup ? Json(*winner.run->speedup) : Json(nullptr)}};
    if (winner.comparison)
        json["comparison"] = comparisonToJson(*winner.comparison);
    return json;
}

void print(const TuneResult& result, const Winner& winner, std::size_t top)
{
    const SpaceBuild& build = result.build;
    fmt::print("{} on {}, {}\n", build.space.kernel, result.device, build.space.problem);
    fmt::print(
        "  {} combinations, {} pass the gates, {} different programs with little local memory and room on an SM; compiled in {:.1f} s\n",
        build.space.points.size(), build.points.size(), build.candidates().size(), build.seconds);
    const auto remembered = std::ranges::count_if(result.points, &TunedPoint::remembered);
    fmt::print("  {} timed in {:.1f} s{}{}\n", result.points.size(), result.seconds,
               remembered > 0 ? fmt::format(", {} of them by an earlier search", remembered) : "",
               result.left > 0 ? fmt::format("; the budget left {} out", result.left) : "");
    Table table({"", "GPU time>", "tunables", ""});
    for (std::size_t i = 0; i < std::min(top, result.points.size()); ++i) {
        const TunedPoint& point = result.points[i];
        table.add({fmt::format("{}", i + 1), point.ns ? formatTime(*point.ns) : "–", toText(point.tunables),
                   !point.ns       ? point.why
                   : point.refined ? ""
                                   : "timed briefly"});
    }
    fmt::print("{}", table.text("  "));
    for (const std::string& wrong : winner.wrong)
        fmt::print("  left out, since it is wrong: {}\n", wrong);
    if (winner.run)
        fmt::print("\n{}", renderRun(*winner.run));
    if (winner.comparison)
        fmt::print("\n{}", renderComparison(*winner.comparison));
}

} // namespace

Result<int> commandSearch(Program& program, const Options& options)
{
    const SearchOptions& asked = options.search;
    if (program.device().source() == Source::sample)
        return Error{ErrorCode::usage, "A search measures: a recording holds none.",
                     "Run it on a GPU; kloop space and kloop compile --all need none.", "--on", std::string()};
    const Result<SpaceAsked> space = askedSpace(program, options);
    if (!space)
        return space.error();
    const Result<Workbench*> bench = program.bench();
    const Result<const Catalogue*> catalogue = program.catalogue();
    if (!bench || !catalogue)
        return bench ? catalogue.error() : bench.error();
    TunePlan plan;
    plan.strategy = strategyFrom(asked.strategy).value_or(TuneStrategy::bruteForce);
    plan.seed = asked.seed;
    plan.budgetSeconds = asked.budget;
    plan.jobs = options.space.jobs;
    plan.fresh = asked.fresh;
    const Result<TuneResult> result =
        tune(program.device(), **catalogue, *space->family, *space->variant, space->fixed, space->problem, plan, program.job());
    if (!result)
        return result.error();
    const Result<Winner> winner = judgeBest(program, **bench, *space, *result);
    if (!winner)
        return winner.error();
    if (!program.printed(answerJson(*result, *winner, asked)))
        print(*result, *winner, asked.top);
    return winner->run ? 0 : exitCode(ErrorCode::kernelFailed);
}

} // namespace kl
