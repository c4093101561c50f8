// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/render/render.h"
#include "app/kloop/search/simulate.h"
#include "app/kloop/search/space_asked.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/run_codec.h"
#include "sessions/measure/workbench.h"
#include "sessions/search/best_point.h"
#include "sessions/search/recorded_export.h"
#include "sessions/search/tuned_record.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct SearchOptions {
    SpaceOptions space;
    SimulateOptions simulate;
    std::string strategy = kDefaultStrategy; ///< with --simulate, a list of names or "all"
    std::string objective = "time";          ///< or "energy"
    std::uint64_t seed = 1;
    std::optional<std::size_t> batch; ///< points that are proposed at once; unset: one for each GPU
    std::string exportTo;             ///< file for the times; empty: none
    double budget = 0;                ///< seconds of measuring; 0: no limit
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
    if (point.joules)
        json["energy_per_launch_j"] = *point.joules;
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
              {"objective", asked.objective},
              {"seed", asked.seed},
              {"total", build.space.total},
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
        build.space.total, build.points.size(), build.candidates().size(), build.seconds);
    const auto remembered = std::ranges::count_if(result.points, &TunedPoint::remembered);
    printText("  {} timed in {:.1f} s{}{}\n", result.points.size(), result.seconds,
              remembered > 0 ? fmt::format(", {} of them by an earlier search", remembered) : "",
              result.left > 0 ? fmt::format("; {} were not timed within the budget", result.left) : "");
    const bool energy = std::ranges::any_of(result.points, [](const TunedPoint& point) { return point.joules.has_value(); });
    Table table({"", "GPU time>", "Tunables", "", energy ? "Energy>" : ">"});
    for (std::size_t i = 0; i < std::min(top, result.points.size()); ++i) {
        const TunedPoint& point = result.points[i];
        table.add({fmt::format("{}", i + 1), point.ns ? formatTime(*point.ns) : "–", toText(point.tunables),
                   !point.ns       ? point.why
                   : point.refined ? ""
                                   : "timed briefly",
                   point.joules ? formatEnergy(*point.joules) : ""});
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
    if (asked.space.kernel.empty())
        return Error{.code = ErrorCode::usage,
                     .message = "No kernel is given.",
                     .hint = "Name a kernel, or a recorded space with --simulate.",
                     .where = "KERNEL"};
    if (strategyNames(asked.strategy).size() != 1)
        return Error{.code = ErrorCode::usage,
                     .message = "A kernel is searched by one strategy.",
                     .hint = "Name one; several are compared on a recorded space, with --simulate.",
                     .where = "--strategy"};
    if (!asked.exportTo.empty()) {
        KL_ASSIGN([[maybe_unused]] const auto format, formatFor(asked.exportTo));
    }
    KL_ASSIGN(const SpaceAsked space, askedSpace(program, asked.space, [&] { return program.chip(); }));
    KL_ASSIGN(auto* bench, program.bench());
    TunePlan plan;
    plan.strategy = asked.strategy;
    plan.objective = asked.objective == "energy" ? Objective::energy : Objective::time;
    plan.seed = asked.seed;
    plan.width = asked.batch.value_or(static_cast<std::size_t>(program.device().width()));
    plan.budgetSeconds = asked.budget;
    plan.jobs = asked.jobs;
    plan.fresh = asked.fresh;
    KL_ASSIGN(const BestPoint best, findBest(*bench, {space.family, space.variant, space.fixed, space.problem}, plan, program.job()));
    if (!asked.exportTo.empty()) {
        KL_ASSIGN(const RecordedSpace recorded, recordOf(best.tuned));
        KL_TRY(writeRecordedSpace(recorded, asked.exportTo));
    }
    if (!program.printed(answerJson(best, asked)))
        print(best, asked.top);
    return best.run ? 0 : exitCode(ErrorCode::kernelFailed);
}

/// For CLI11: empty, or what is wrong with a list of strategies.
std::string wrongStrategies(const std::string& list)
{
    std::vector<std::string> names = strategyNames(list);
    if (names.empty())
        names.emplace_back(); // which is refused as every unknown name is
    for (const std::string& name : names)
        if (const Result<const StrategyRow*> row = strategyNamed(name); !row)
            return row.error().message + ' ' + row.error().hint;
    return {};
}

/// For CLI11, which takes a seed out of range for the greatest one: empty, or what is wrong with it.
std::string wrongSeed(const std::string& text)
{
    std::uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, seed);
    return failure == std::errc() && rest == end ? std::string() : fmt::format("\"{}\" is not a valid seed", text);
}

std::string strategyHelp()
{
    std::string help = "Order in which points are measured:";
    for (const StrategyRow& row : strategies())
        help += fmt::format(" {} ({}),", row.name, row.brief);
    help.back() = '.';
    return help + " With --simulate, also several, separated by commas, or all";
}

} // namespace

Runner addSearch(CLI::App& app)
{
    const auto o = std::make_shared<SearchOptions>();
    CLI::Option* kernel =
        app.add_option("KERNEL", o->space.kernel, "family or family/variant; tunables after @ are fixed, e.g. attention/fused@WARPS=4");
    addSpaceProblem(app, o->space);
    app.add_option("--strategy", o->strategy, strategyHelp())->check(wrongStrategies)->capture_default_str();
    app.add_option("--objective", o->objective,
                   "What to make smallest: time, or energy per launch (NVML's counter; a second or more per point)")
        ->check(CLI::IsMember({"time", "energy"}))
        ->capture_default_str();
    app.add_option("--seed", o->seed, "Seed of every strategy but brute_force")->check(wrongSeed)->capture_default_str();
    app.add_option("--batch", o->batch,
                   "Points that are proposed at once, before any of them is measured; with the seed, it fixes which\n"
                   "(default: one for each GPU of --on)")
        ->check(CLI::Range(1, 4096));
    app.add_option("--budget", o->budget, "Seconds to spend on measuring (default: until all are measured)")->check(CLI::Range(0.0, 1e6));
    app.add_option("--top", o->top, "Rows of the table")->check(CLI::Range(1, 100000))->capture_default_str();
    app.add_flag("--fresh", o->fresh, "Measure again what an earlier search measured");
    addJobs(app, o->jobs);
    app.add_option("--export", o->exportTo,
                   "Also write the times to this file: .csv, .json (T4) or .cache.json (Kernel Tuner), each optionally with .gz");
    CLI::Option* simulate = addRepeated(app, "--simulate", o->simulate.files,
                                        "Replay the recorded space in this T4 or Kernel Tuner cache file (.json, .json.gz) instead of "
                                        "measuring a kernel; may be given several times");
    simulate->excludes(kernel);
    for (const char* measuring : {"--problem", "--objective", "--budget", "--top", "--fresh", "--jobs"})
        simulate->excludes(app.get_option(measuring));
    app.add_option("--repeats", o->simulate.repeats, "Replays of each space by each strategy")
        ->check(CLI::Range(1, 100000))
        ->needs(simulate)
        ->capture_default_str();
    app.footer("The gates of kloop space and the compiler reject combinations first; each remaining program is timed briefly, the best\n"
               "ones longer. The best that is correct on the whole suite is compared with the default (A/B) and stored. After Ctrl-C,\n"
               "the same command continues where it stopped. docs/search.md describes the strategies and the score of --simulate.");
    return [o](Program& program) {
        return o->simulate.files.empty() ? searchTunables(program, *o)
                                         : simulateSearch(program, o->simulate, o->strategy, o->seed, o->batch.value_or(1), o->exportTo);
    };
}

} // namespace kl::cli
