// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/render/render.h"
#include "app/kloop/search/requested_space.h"
#include "app/kloop/search/search_best.h"
#include "app/kloop/search/simulate.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/run_codec.h"
#include "core/stats/ratio_text.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/hosts/host_list.h"
#include "sessions/learning/device_price.h"
#include "sessions/learning/money.h"
#include "sessions/measure/workbench.h"
#include "sessions/search/best_point.h"
#include "sessions/search/recorded_export.h"
#include "sessions/search/tuned_record.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
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
    std::optional<std::size_t> batch; ///< points that are open at a time; unset: widthOn()
    std::string exportTo;             ///< file for the times; empty: none
    double budget = 0;                ///< seconds of measuring; 0: no limit
    std::size_t trials = 0;           ///< points; 0: no limit
    double money = 0;                 ///< dollars of GPU time; 0: no limit
    double joules = 0;                ///< that measuring takes; 0: no limit
    std::string protocol = "loop1";   ///< or "notes"
    int confirm = 100;                ///< passes of the winner and of its rival; 0: none
    std::optional<double> target;     ///< unset: 1.10, which the exit status does not depend on
    bool noDiagnosis = false;
    bool noCounters = false;
    double countSeconds = kCountSeconds; ///< that one-pass counters of the points may take
    std::size_t top = 10;
    bool fresh = false; ///< measure again what an earlier search measured
    int jobs = 0;       ///< threads that compile; 0: one per processor
};

Json pointJson(const TunedPoint& point)
{
    Json json{{"kernel", point.kernel},   {"point", toText(point.tunables)}, {"gpu_ns", nullptr},
              {"refined", point.refined}, {"remembered", point.remembered},  {"failed", nullptr},
              {"at_s", point.at}};
    if (point.ns)
        json["gpu_ns"] = *point.ns;
    if (point.joules)
        json["energy_per_launch_j"] = *point.joules;
    if (!point.gpu.empty())
        json["gpu"] = point.gpu;
    if (!point.why.empty())
        json["failed"] = point.why;
    return json;
}

const char* chooseWord(TargetVerdict verdict)
{
    switch (verdict) {
    case TargetVerdict::met: return "met";
    case TargetVerdict::missed: return "missed";
    case TargetVerdict::inconclusive: return "inconclusive";
    case TargetVerdict::noRival: break;
    }
    return "no-rival";
}

Json ratioJson(const Ratio& ratio)
{
    return {{"value", ratio.value}, {"low", ratio.low}, {"high", ratio.high}};
}

Json confirmationJson(const Confirmation& confirmation)
{
    Json json{{"verdict", chooseWord(confirmation.verdict)}, {"target", confirmation.target}, {"reason", confirmation.reason}};
    if (confirmation.verdict != TargetVerdict::noRival)
        json.update({{"rival", confirmation.rival},
                     {"version", confirmation.version},
                     {"samples", confirmation.samples},
                     {"blocks", confirmation.blocks},
                     {"winner_ns", confirmation.winnerNs},
                     {"rival_ns", confirmation.rivalNs},
                     {"ratio", ratioJson(confirmation.student)},
                     {"bootstrap", ratioJson(confirmation.bootstrap)}});
    return json;
}

Json answerJson(const BestPoint& winner, const SearchOptions& requested, const std::string& strategy)
{
    const TuneResult& result = winner.tuned;
    const SpaceBuild& build = result.build;
    Json json{{"schema", "kernelloop.search/1"},
              {"kernel", build.space.kernel},
              {"device", result.device},
              {"arch", build.arch},
              {"problem", build.space.problem},
              {"strategy", strategy},
              {"objective", requested.objective},
              {"seed", requested.seed},
              {"total", build.space.total},
              {"gated", build.points.size()},
              {"programs", build.candidates().size()},
              {"compile_seconds", build.seconds},
              {"measure_seconds", result.seconds},
              {"measured", result.points.size()},
              {"left", result.left},
              {"points", Json::array()},
              {"references", Json::array()},
              {"best", nullptr},
              {"wrong", Json::array()},
              {"comparison", nullptr},
              {"protocol", requested.protocol},
              {"search", winner.record},
              {"confirmation", nullptr},
              {"finding", nullptr}};
    for (const TunedPoint& point : result.points)
        json["points"].push_back(pointJson(point));
    for (const SearchReference& one : result.references)
        json["references"].push_back({{"gpu", one.gpu},
                                      {"host", one.host},
                                      {"gpu_ns", one.ns},
                                      {"noise", one.noise},
                                      {"clock_mhz", one.clockMhz ? Json(*one.clockMhz) : Json(nullptr)}});
    for (const WrongPoint& wrong : winner.wrong)
        json["wrong"].push_back(fmt::format("{}: {}", wrong.kernel, wrong.reason));
    if (winner.run)
        json["best"] = {{"kernel", toText(winner.run->kernel)},
                        {"run", winner.run->id.text},
                        {"gpu_ns", winner.run->timing ? Json(winner.run->timing->gpu.median) : Json(nullptr)},
                        {"speedup", winner.run->speedup ? Json(*winner.run->speedup) : Json(nullptr)}};
    if (winner.comparison)
        json["comparison"] = comparisonToJson(*winner.comparison);
    if (winner.confirmation)
        json["confirmation"] = confirmationJson(*winner.confirmation);
    if (winner.profile && winner.profile->diagnosis)
        json["finding"] = {{"class", winner.profile->diagnosis->finding.classId},
                           {"title", winner.profile->diagnosis->finding.title},
                           {"run", winner.profile->id.text}};
    return json;
}

void print(const Confirmation& confirmation)
{
    if (confirmation.verdict == TargetVerdict::noRival)
        return printText("\nNot confirmed against a baseline: {}\n", confirmation.reason);
    printText("\nConfirmed against {}{}: {}, {} against {}\n", confirmation.rival,
              confirmation.version.empty() ? "" : " (" + confirmation.version + ')', ratioText(confirmation.student),
              formatTime(confirmation.winnerNs), formatTime(confirmation.rivalNs));
    printText("  {} passes each, in {} blocks; 95 % CI by t {}, by bootstrap {}\n", confirmation.samples, confirmation.blocks,
              intervalText(confirmation.student), intervalText(confirmation.bootstrap));
    printText("  Target {:.2f}×: {}. {}\n", confirmation.target, chooseWord(confirmation.verdict), confirmation.reason);
}

void print(const BestPoint& winner, std::size_t top)
{
    const TuneResult& result = winner.tuned;
    const SpaceBuild& build = result.build;
    printText("{} at {} on {}\n", build.space.kernel, build.space.problem, result.device);
    printText(
        "  {} combinations, {} pass the gates, {} distinct programs with little local memory that fit on an SM; compiled in {:.1f} s\n",
        formatCount(static_cast<double>(build.space.total)), formatCount(static_cast<double>(build.points.size())),
        formatCount(static_cast<double>(build.candidates().size())), build.seconds);
    const auto remembered = std::ranges::count_if(result.points, &TunedPoint::remembered);
    printText("  {} timed in {:.1f} s{}{}\n", formatCount(static_cast<double>(result.points.size())), result.seconds,
              remembered > 0 ? fmt::format(", {} of them by an earlier search", remembered) : "",
              result.left > 0 ? fmt::format("; {} were not timed within the budget", formatCount(static_cast<double>(result.left))) : "");
    for (const SearchReference& one : result.references)
        printText("  {}\n", referenceText(one));
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
    else
        printText("\nThere is no best point: {}.\n",
                  result.points.empty() ? "none was timed within the budget" : "none of those that were timed ran and was correct");
    if (winner.comparison)
        printText("\n{}", renderComparison(*winner.comparison));
    if (winner.confirmation)
        print(*winner.confirmation);
    if (winner.profile && winner.profile->diagnosis)
        printText("\nLimited by: {} (kloop analyze run:{})\n", winner.profile->diagnosis->finding.title,
                  winner.profile->id.text.substr(0, 13));
}

/// Seconds: what was asked for, or what the money buys, whichever is less. Error badInput: the GPU's price is not known.
Result<double> computeBudget(Program& program, const SearchOptions& requested)
{
    if (requested.money <= 0)
        return requested.budget;
    const DeviceInfo* device = findMeasuredDevice(program.device().hello());
    KL_ASSIGN(Store * store, program.store());
    KL_ASSIGN(const std::vector<GpuPrice> prices, gpuPrices(*store));
    const Result<std::vector<KnownHost>> hosts = HostList().list(); // one that cannot be read has no prices
    const std::optional<double> dollars = device ? hourOn(program.device().spec(), program.device().remoteHost(), device->name,
                                                          hosts ? *hosts : std::vector<KnownHost>(), prices)
                                                 : std::nullopt;
    if (!dollars)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The price of {} is not known.", device ? device->name : "this GPU"),
                     .hint = "Set what an hour of it costs, or give the budget in seconds.",
                     .where = "--money"}
            .leadTo({StepId::setPrice});
    const double seconds = requested.money / *dollars * 3600;
    return requested.budget > 0 ? std::min(requested.budget, seconds) : seconds;
}

/// With --target: 0 where it was met, 1 where it was missed, 3 where that is not known.
int chooseExitStatus(const std::optional<Confirmation>& confirmation)
{
    if (confirmation && confirmation->verdict == TargetVerdict::met)
        return 0;
    return confirmation && confirmation->verdict == TargetVerdict::missed ? exitCode(ErrorCode::refused)
                                                                          : exitCode(ErrorCode::inconclusive);
}

Status folderIsThere(const std::string& file)
{
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    std::error_code ignored;
    if (folder.empty() || std::filesystem::is_directory(folder, ignored))
        return {};
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("There is no folder {} for {}.", folder.string(), file),
                 .hint = "Make it, or choose another file.",
                 .where = "--export"};
}

Result<int> searchTunables(Program& program, const SearchOptions& requested)
{
    if (requested.space.kernel.empty())
        return Error{.code = ErrorCode::usage,
                     .message = "No kernel is given.",
                     .hint = "Name a kernel, or a recorded space with --simulate.",
                     .where = "KERNEL"};
    const std::vector<std::string> names = strategyNames(requested.strategy);
    if (names.size() != 1)
        return Error{.code = ErrorCode::usage,
                     .message = "A kernel is searched by one strategy.",
                     .hint = "Name one; several are compared on a recorded space, with --simulate.",
                     .where = "--strategy"};
    if (requested.protocol == "notes" && requested.trials > 0)
        return Error{.code = ErrorCode::usage,
                     .message = "The protocol has exactly 120 points; --trials asks for another number.",
                     .hint = "Leave one of them out.",
                     .where = "--trials"};
    if (!requested.exportTo.empty()) { // before minutes of measuring
        KL_ASSIGN([[maybe_unused]] const auto format, formatFor(requested.exportTo));
        KL_TRY(folderIsThere(requested.exportTo));
    }
    KL_ASSIGN(const RequestedSpace space, makeRequestedSpace(program, requested.space, [&] { return program.chip(); }));
    KL_ASSIGN(auto* bench, program.bench());
    LoopPlan loop = requested.protocol == "notes" ? LoopPlan::notes() : LoopPlan();
    TunePlan& plan = loop.tune;
    if (requested.protocol != "notes")
        plan.strategy = names.front();
    plan.objective = requested.objective == "energy" ? Objective::energy : Objective::time;
    plan.seed = requested.seed;
    plan.width = requested.batch.value_or(0);
    KL_ASSIGN(plan.budgetSeconds, computeBudget(program, requested));
    if (requested.trials > 0)
        plan.budgetTrials = requested.trials;
    plan.budgetJoules = requested.joules;
    plan.countSeconds = requested.noCounters ? 0 : requested.countSeconds;
    loop.confirmations = requested.confirm;
    loop.target = requested.target.value_or(loop.target);
    loop.diagnosed = !requested.noDiagnosis;
    plan.jobs = requested.jobs;
    plan.fresh = requested.fresh;
    KL_ASSIGN(const BestPoint best, findBest(*bench, {space.family, space.variant, space.fixed, space.problem}, loop, program.job()));
    if (!program.printAsJson(answerJson(best, requested, plan.strategy)))
        print(best, requested.top);
    if (!requested.exportTo.empty()) {
        KL_ASSIGN(const RecordedSpace recorded, makeTunedSpace(best.tuned));
        KL_TRY(writeRecordedSpace(recorded, requested.exportTo));
    }
    if (!best.run)
        return exitCode(ErrorCode::kernelFailed);
    return requested.target ? chooseExitStatus(best.confirmation) : 0;
}

/// For CLI11: empty, or what is wrong with a list of strategies.
std::string wrongStrategies(const std::string& list)
{
    std::vector<std::string> names = strategyNames(list);
    if (names.empty())
        names.emplace_back(); // which is refused as every unknown name is
    for (const std::string& name : names)
        if (const Result<const StrategyRow*> row = findStrategy(name); !row)
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
    std::string help = "Order in which points are measured (with --simulate: several, separated by commas, or all):";
    for (const StrategyRow& row : strategies())
        help += fmt::format("\n{}: {}", row.name, row.brief);
    return help;
}

} // namespace

Runner addSearch(CLI::App& app)
{
    const auto o = std::make_shared<SearchOptions>();
    CLI::Option* kernel =
        app.add_option("KERNEL", o->space.kernel, "family or family/variant; tunables after @ are fixed, e.g. attention/fused@WARPS=4");
    addSpaceProblem(app, o->space);
    app.add_option("--strategy", o->strategy, strategyHelp())->check(wrongStrategies)->capture_default_str();
    app.add_option("--objective", o->objective, "What to minimize: time, or energy per launch (NVML's counter; a second or more per point)")
        ->check(CLI::IsMember({"time", "energy"}))
        ->capture_default_str();
    app.add_option("--seed", o->seed, "Seed of every strategy but brute_force")->check(wrongSeed)->capture_default_str();
    app.add_option("--batch", o->batch,
                   "Number of points proposed but not yet measured; together with the seed it determines the proposals\n"
                   "(default: 1; with several GPUs in --on, 2 per GPU)")
        ->check(CLI::Range(1, 4096));
    app.add_option("--budget", o->budget, "Seconds to spend on measuring (default: until all are measured)")
        ->check(CLI::Range(0.0, 1e6))
        ->check(finiteNumber);
    app.add_option("--trials", o->trials,
                   "Points to measure (default: all); with --simulate, also count the replays that are within 2 % of the optimum after so "
                   "many")
        ->check(CLI::Range(1, 1'000'000));
    app.add_option("--money", o->money,
                   "Dollars of GPU time to spend on measuring, at the price of the host (kloop hosts) or of the GPU (kloop cost price)")
        ->check(CLI::Range(0.0001, 1e6))
        ->check(finiteNumber);
    app.add_option("--joules", o->joules, "Energy to spend on measuring: the board's power after each point × the time that it took")
        ->check(CLI::Range(0.001, 1e12))
        ->check(finiteNumber);
    CLI::Option* protocol =
        app.add_option("--protocol", o->protocol,
                       "loop1: time the points that pass the gates, confirm the winner and profile it\n"
                       "notes: the October 2025 documents' protocol: from scratch, 20 points of a Latin hypercube and 100 of TPE, then\n"
                       "100 passes to confirm the winner")
            ->check(CLI::IsMember({"loop1", "notes"}))
            ->capture_default_str();
    protocol->excludes(app.get_option("--strategy"));
    app.add_option("--confirm", o->confirm, "Number of passes of the winner and of the baseline, interleaved (0: skip)")
        ->check(CLI::Range(0, 100000))
        ->capture_default_str();
    app.add_option("--target", o->target,
                   "Target speedup over the baseline (default: 1.10); when given, the exit status is 1 if it is missed")
        ->check(CLI::Range(0.01, 1000.0))
        ->check(finiteNumber);
    app.add_flag("--no-diagnosis", o->noDiagnosis, "Do not profile the winner");
    CLI::Option* counting =
        app.add_option("--count-seconds", o->countSeconds, "Seconds to spend reading one-pass counters, best points first")
            ->check(CLI::Range(0.0, 1e6))
            ->check(finiteNumber)
            ->capture_default_str();
    app.add_flag("--no-counters", o->noCounters, "Do not read one-pass counters of the measured points")->excludes(counting);
    app.add_option("--top", o->top, "Rows of the table")->check(CLI::Range(1, 100000))->capture_default_str();
    app.add_flag("--fresh", o->fresh, "Measure again what an earlier search measured");
    addJobs(app, o->jobs);
    app.add_option("--export", o->exportTo,
                   "Also write the times to this file: .csv, .json (T4, for other auto-tuners) or .cache.json (Kernel Tuner), each "
                   "optionally with .gz");
    CLI::Option* simulate =
        addRepeated(app, "--simulate", o->simulate.files,
                    "Replay the recorded space in this file (.json: T4 or Kernel Tuner's cache; .csv), each optionally with .gz, or the "
                    "points of an earlier search (search:ID), instead of measuring a kernel; may be given several times");
    simulate->excludes(kernel);
    for (const char* measuring : {"--problem", "--objective", "--budget", "--money", "--joules", "--protocol", "--confirm", "--target",
                                  "--no-diagnosis", "--no-counters", "--count-seconds", "--top", "--fresh", "--jobs"})
        simulate->excludes(app.get_option(measuring));
    app.add_option("--repeats", o->simulate.repeats, "Replays of each space by each strategy")
        ->check(CLI::Range(1, 100000))
        ->needs(simulate)
        ->capture_default_str();
    app.footer(
        "The gates of kloop space and the compiler reject combinations first; each remaining program is timed briefly, the best\n"
        "ones again, interleaved. The best that is correct on the whole suite is compared with the default (A/B) and with the kernel's\n"
        "baseline, profiled, and stored. After Ctrl-C,\n"
        "the same command continues where it stopped. docs/search.md describes the strategies and the score of --simulate.");
    return addCommands(app,
                       {{"best", "Show the best point found so far, or export it as a header", addSearchBest},
                        {"list", "List past searches", addSearchList},
                        {"show", "Show one search with its points", addSearchShow},
                        {"transfer", "Show how well the best point of one device or size does on another", addSearchTransfer}},
                       [o](Program& program) {
                           o->simulate.trials = o->trials;
                           return o->simulate.files.empty()
                                      ? searchTunables(program, *o)
                                      : simulateSearch(program, o->simulate, o->strategy, o->seed, o->batch.value_or(1), o->exportTo);
                       });
}

} // namespace kl::cli
