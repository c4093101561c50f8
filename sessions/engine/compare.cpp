// SPDX-License-Identifier: MIT
#include "sessions/engine/compare.h"

#include "core/base/format.h"
#include "core/stats/ab.h"
#include "sessions/engine/workbench.h"

#include <cmath>
#include <fmt/format.h>
#include <set>

namespace kl {
namespace {

/// Two stored runs were not interleaved, so their samples share whatever the machine did in between: they carry a verdict only for an
/// effect above twice this fraction (samples of one launch window are not independent; see judge()).
constexpr double kBetweenRunNoise = 0.025;
/// SM clocks further apart than this fraction are another clock state.
constexpr double kClockTolerance = 0.05;

/// Counts in full, other figures to six digits.
std::string text(std::optional<double> value)
{
    if (!value)
        return kNoValue;
    const bool count = std::abs(*value) < 1e15 && *value == std::floor(*value);
    return count ? fmt::format("{:.0f}", *value) : fmt::format("{:.6g}", *value);
}

std::optional<double> change(std::optional<double> a, std::optional<double> b)
{
    if (!a || !b || *a == 0 || !std::isfinite(*a) || !std::isfinite(*b))
        return {};
    return *b / *a - 1;
}

Difference numeric(const std::string& name, std::optional<double> a, std::optional<double> b)
{
    return {name, text(a), text(b), change(a, b)};
}

void addIfDifferent(std::vector<Difference>& rows, const std::string& name, const std::string& a, const std::string& b)
{
    if (a != b)
        rows.push_back({name, a.empty() ? kNoValue : a, b.empty() ? kNoValue : b, {}});
}

std::vector<Difference> metricDifferences(const RunRecord& a, const RunRecord& b)
{
    std::vector<Difference> rows;
    const auto gpu = [](const RunRecord& run) { return run.timing ? std::optional(run.timing->gpu.median) : std::nullopt; };
    const auto hot = [](const RunRecord& run) { return run.timing ? run.timing->gpuHot : std::nullopt; };
    const auto host = [](const RunRecord& run) { return run.timing ? run.timing->host : std::nullopt; };
    const auto bytes = [](const RunRecord& run) {
        return run.memoryBytes ? std::optional(static_cast<double>(*run.memoryBytes)) : std::nullopt;
    };
    rows.push_back(numeric("gpu_ns", gpu(a), gpu(b)));
    rows.push_back(numeric("gpu_ns_hot", hot(a), hot(b)));
    rows.push_back(numeric("host_ns", host(a), host(b)));
    rows.push_back(numeric("speedup", a.speedup, b.speedup));
    rows.push_back(numeric("memory_bytes", bytes(a), bytes(b)));
    std::set<std::string> names;
    for (const RunRecord* run : {&a, &b})
        if (run->metrics)
            for (const auto& [name, value] : run->metrics->values)
                names.insert(name);
    const auto metric = [](const RunRecord& run, const std::string& name) -> std::optional<double> {
        if (!run.metrics)
            return {};
        const auto found = run.metrics->values.find(name);
        return found == run.metrics->values.end() ? std::nullopt : found->second;
    };
    for (const std::string& name : names)
        rows.push_back(numeric(name, metric(a, name), metric(b, name)));
    return rows;
}

std::vector<Difference> environmentDifferences(const RunRecord& a, const RunRecord& b)
{
    const auto sourceWord = [](Source source) { return source == Source::live ? "live" : source == Source::sample ? "sample" : "import"; };
    const auto clock = [](const RunRecord& run) { return run.timing ? run.timing->clockMhz : std::nullopt; };
    std::vector<Difference> rows;
    addIfDifferent(rows, "device", a.device.name, b.device.name);
    addIfDifferent(rows, "device uuid", a.device.uuid, b.device.uuid);
    addIfDifferent(rows, "driver", a.device.driverVersion, b.device.driverVersion);
    addIfDifferent(rows, "source", sourceWord(a.source), sourceWord(b.source));
    addIfDifferent(rows, "problem", toText(a.problem), toText(b.problem));
    addIfDifferent(rows, "source hash", a.sourceHash.substr(0, 12), b.sourceHash.substr(0, 12));
    if (clock(a) != clock(b))
        rows.push_back(numeric("clock_mhz", clock(a), clock(b)));
    return rows;
}

/// The command that measures both sides again, interleaved, where they were measured.
std::string interleavedAgain(const RunRecord& a, const RunRecord& b)
{
    const bool recorded = a.source == Source::sample && b.source == Source::sample;
    return fmt::format("kloop ab {} {} --problem {}{}", toText(a.kernel), toText(b.kernel), toText(a.problem),
                       recorded ? " --on sample" : "");
}

struct Obstacle {
    std::string reason;
    std::string sentence;
    std::string next;
};

std::optional<Obstacle> obstacle(const RunRecord& a, const RunRecord& b)
{
    const std::string again = interleavedAgain(a, b);
    if (a.kernel.family != b.kernel.family)
        return Obstacle{"other-kernel", fmt::format("{} and {} are different kernels.", a.kernel.family, b.kernel.family),
                        "Compare each with its own baseline."};
    if (a.source != b.source)
        return Obstacle{"other-source", "One run is a recording and the other was measured here.", again};
    if (a.device.uuid != b.device.uuid || a.device.name != b.device.name)
        return Obstacle{"other-device", fmt::format("The runs are from {} and {}, two devices.", a.device.name, b.device.name), again};
    if (a.device.driverVersion != b.device.driverVersion)
        return Obstacle{"other-driver",
                        fmt::format("The driver changed from {} to {} between the runs.", a.device.driverVersion, b.device.driverVersion),
                        again};
    if (a.problem != b.problem)
        return Obstacle{"other-problem", fmt::format("The runs are of {} and {}.", toText(a.problem), toText(b.problem)), again};
    for (const RunRecord* run : {&a, &b})
        if (run->status != ResultStatus::ok || run->correctness.result == CorrectnessResult::fail || !run->timing)
            return Obstacle{"no-valid-time",
                            fmt::format("{} has no valid time{}{}", toText(run->kernel), run->reason.empty() ? "." : ": ", run->reason),
                            again};
    const std::optional<double> change = kl::change(a.timing->clockMhz, b.timing->clockMhz);
    if (change && std::abs(*change) > kClockTolerance)
        return Obstacle{"other-clock",
                        fmt::format("The SM clock was {} in one run and {} in the other.", formatClock(*a.timing->clockMhz),
                                    formatClock(*b.timing->clockMhz)),
                        again};
    return {};
}

/// "transpose/tiled is 1.30× faster than transpose/naive (95 % interval 1.28× to 1.32×)."
std::string sentenceOf(Verdict verdict, const Ratio& ratio, const std::string& a, const std::string& b)
{
    const std::string interval = fmt::format("95 % interval {} to {}", formatRatio(ratio.low), formatRatio(ratio.high));
    switch (verdict) {
    case Verdict::faster: return fmt::format("{} is {} faster than {} ({}).", b, formatRatio(ratio.value), a, interval);
    case Verdict::slower: return fmt::format("{} is slower than {}: {} of its speed ({}).", b, a, formatRatio(ratio.value), interval);
    case Verdict::equivalent: return fmt::format("{} and {} take the same time ({}).", a, b, interval);
    default: return fmt::format("No verdict on {} against {}: {} ({}).", b, a, formatRatio(ratio.value), interval);
    }
}

std::string nextOf(Verdict verdict, const std::string& a, const std::string& b)
{
    switch (verdict) {
    case Verdict::faster: return fmt::format("Keep {} if it is right on the whole suite.", b);
    case Verdict::slower:
    case Verdict::equivalent: return fmt::format("Stay with {}.", a);
    default: return fmt::format("kloop ab {} {}", a, b);
    }
}

} // namespace

std::vector<Difference> tunableDifferences(const Address& a, const Address& b)
{
    std::vector<Difference> rows;
    addIfDifferent(rows, "variant", a.variant, b.variant);
    std::set<std::string> names;
    for (const Address* side : {&a, &b})
        for (const auto& [name, value] : side->tunables)
            names.insert(name);
    const auto value = [](const Address& side, const std::string& name) {
        const auto found = side.tunables.find(name);
        return found == side.tunables.end() ? std::string("default") : toText(Params{*found}).substr(name.size() + 1);
    };
    for (const std::string& name : names)
        addIfDifferent(rows, name, value(a, name), value(b, name));
    return rows;
}

std::vector<LadderFix> ladderOf(const Catalogue& catalogue, const Address& address)
{
    std::vector<LadderFix> ladder;
    const Result<const Variant*> profiled = catalogue.variant(address);
    for (const Address& twin : catalogue.mendedBy(address))
        if (const Result<const Variant*> variant = catalogue.variant(twin))
            ladder.push_back({toText(twin), (*variant)->fixTitle, profiled ? (*profiled)->planted.value_or("") : ""});
    return ladder;
}

Comparison judgeBlocks(const AbAnswer& answer, const std::string& a, const std::string& b, double noise, double keepAt)
{
    Comparison comparison;
    comparison.a = a;
    comparison.b = b;
    comparison.data = answer.blocks;
    comparison.blocks = static_cast<int>(answer.blocks.size());
    const bool wrong = answer.correctnessA.result == CorrectnessResult::fail || answer.correctnessB.result == CorrectnessResult::fail;
    if (answer.status != ResultStatus::ok || wrong || answer.blocks.size() < 2) {
        comparison.verdict = Verdict::notComparable;
        comparison.reason = wrong ? "wrong-result" : answer.status != ResultStatus::ok ? "run-failed" : "too-few-blocks";
        const std::string why = wrong ? (answer.correctnessA.result == CorrectnessResult::fail ? a : b) + " gives a wrong result"
                                : answer.reason.empty() ? "too few blocks were measured"
                                                        : answer.reason;
        comparison.sentence = fmt::format("{} and {} cannot be compared: {}.", a, b, why);
        comparison.next = fmt::format("kloop run {} --suite", b);
        return comparison;
    }
    comparison.ratio = ratioOf(answer.blocks);
    const AbVerdict verdict = judge(*comparison.ratio, comparison.blocks, noise);
    comparison.verdict = verdict.verdict;
    comparison.reason = verdict.reason;
    comparison.sentence = sentenceOf(verdict.verdict, *comparison.ratio, a, b);
    comparison.next = nextOf(verdict.verdict, a, b);
    if (keepAt > 1 && judgeKeep(*comparison.ratio, comparison.blocks, keepAt) != KeepDecision::keep && verdict.verdict == Verdict::faster)
        comparison.next = fmt::format("Stay with {}: a change is kept from {} on.", a, formatRatio(keepAt));
    return comparison;
}

bool wantsSecondLook(const Comparison& comparison, double noise, double keepAt)
{
    if (!comparison.ratio || comparison.blocks != 10)
        return false;
    if (keepAt > 1)
        return judgeKeep(*comparison.ratio, comparison.blocks, keepAt) == KeepDecision::moreBlocks;
    return judge(*comparison.ratio, comparison.blocks, noise).needMore;
}

Comparison compareRuns(const RunRecord& a, const RunRecord& b)
{
    Comparison comparison;
    comparison.id.text = uuidOfName("compare " + a.id.text + ' ' + b.id.text);
    comparison.a = "run:" + a.id.text;
    comparison.b = "run:" + b.id.text;
    comparison.metrics = metricDifferences(a, b);
    comparison.tunables = tunableDifferences(a.kernel, b.kernel);
    comparison.environment = environmentDifferences(a, b);
    if (const std::optional<Obstacle> found = obstacle(a, b)) {
        comparison.verdict = Verdict::notComparable;
        comparison.reason = found->reason;
        comparison.sentence = found->sentence;
        comparison.next = found->next;
        return comparison;
    }
    // The quotient of the two median intervals: wider than either, and honest about two runs that were not interleaved.
    const Summary& ta = a.timing->gpu;
    const Summary& tb = b.timing->gpu;
    if (ta.median <= 0 || tb.median <= 0 || ta.low <= 0 || tb.low <= 0)
        return comparison;
    comparison.ratio = Ratio{ta.median / tb.median, ta.low / tb.high, ta.high / tb.low};
    const AbVerdict verdict = judge(*comparison.ratio, 20, kBetweenRunNoise);
    comparison.verdict = verdict.verdict;
    comparison.reason = verdict.reason;
    comparison.sentence = sentenceOf(verdict.verdict, *comparison.ratio, toText(a.kernel), toText(b.kernel));
    comparison.next = interleavedAgain(a, b);
    return comparison;
}

} // namespace kl
