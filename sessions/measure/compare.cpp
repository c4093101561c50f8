// SPDX-License-Identifier: MIT
#include "sessions/measure/compare.h"

#include "core/base/format.h"
#include "core/model/model_words.h"
#include "core/stats/ab.h"
#include "core/stats/correctness_text.h"
#include "core/stats/ratio_text.h"
#include "core/stats/robust.h"
#include "sessions/measure/differences.h"
#include "sessions/measure/noise_floor.h"
#include "sessions/measure/requests.h"
#include "sessions/measure/workbench.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace kl::inline measure {
namespace {

/// Variation of a kernel's median from run to run, unless a larger one was calibrated: see
/// tests/bench/results/between_runs.md.
constexpr double kBetweenRunNoise = 0.04;
/// SM clocks that differ by more than this fraction count as different clock states.
constexpr double kClockTolerance = 0.05;

/// What to do about a comparison: words, steps, or both.
struct Advice {
    std::string words;
    std::vector<NextStep> steps;
};

NextStep makeRunStep(const std::string& kernel, const std::string& problem)
{
    return {StepId::run, {{StepArgument::kernel, kernel}, {StepArgument::problem, problem}}};
}

/// The command that measures both sides again, interleaved, on the same device.
Advice adviseInterleaving(const RunRecord& a, const RunRecord& b)
{
    if (a.imported || b.imported || a.program || b.program)
        return {"Profile the program of each of the two, which times every launch, then compare those runs.",
                {{StepId::profileProgram, {}, {{StepArgument::program, "Which program?"}}}}};
    NextStep step{
        StepId::compareInTurn,
        {{StepArgument::kernel, toText(a.kernel)}, {StepArgument::other, toText(b.kernel)}, {StepArgument::problem, toText(a.problem)}}};
    if (a.source == Source::sample && b.source == Source::sample)
        step.set(StepArgument::source, "sample");
    return {{}, {step}};
}

void advise(Comparison& comparison, Advice advice)
{
    comparison.next = std::move(advice.words);
    comparison.nextSteps = std::move(advice.steps);
}

/// A single time has no spread, so a difference cannot be distinguished from chance.
std::string oneLaunchSentence(const RunRecord& a, const RunRecord& b)
{
    const double first = a.timing->gpu.median;
    const double second = b.timing->gpu.median;
    return fmt::format("{} took {} and {} {}{}: no verdict, because {} a single launch, which has no spread.", toText(a.kernel),
                       formatTime(first), toText(b.kernel), formatTime(second),
                       second > 0 ? fmt::format(" ({})", formatRatio(first / second)) : std::string(),
                       a.timing->gpu.n < 2 && b.timing->gpu.n < 2 ? "each is" : "one of them is");
}

/// The first side whose result is refuted.
std::optional<RefutedSide> findRefutedSide(const Correctness& a, const Correctness& b)
{
    for (const auto& [side, correctness] : {std::pair("a", &a), std::pair("b", &b)})
        if (isRefuted(correctness->result))
            return RefutedSide{side, correctness->result, correctness->witness};
    return {};
}

struct Obstacle {
    std::string reason;
    std::string sentence;
    Advice next;
    bool waivable = false; ///< the same work under other conditions, which may still be worth comparing
};

/// The family of a catalog's kernel; of another program's, its own name.
std::string nameKernel(const RunRecord& run)
{
    const std::string& foreign = run.imported ? run.imported->kernel : run.program ? run.program->kernel : std::string();
    return foreign.empty() ? run.kernel.family : foreign;
}

std::optional<Obstacle> obstacle(const RunRecord& a, const RunRecord& b)
{
    const Advice again = adviseInterleaving(a, b);
    if (!a.id.empty() && a.id == b.id)
        return Obstacle{"same-run",
                        fmt::format("Both sides are the same run of {}.", toText(a.kernel)),
                        {"Choose a different run for one side: run:ID, or family/variant for its newest run.", {}}};
    if (a.kernel.family != b.kernel.family)
        return Obstacle{"other-kernel",
                        fmt::format("{} and {} are different kernels.", nameKernel(a), nameKernel(b)),
                        {"Compare each with its own baseline.", {}}};
    if (a.problem != b.problem)
        return Obstacle{"other-problem", fmt::format("The runs are of {} and {}.", toText(a.problem), toText(b.problem)), again};
    for (const RunRecord* run : {&a, &b})
        if (!isUsable(*run) || !run->timing) {
            const std::string why =
                isRefuted(run->correctness.result)
                    ? fmt::format("its result is {}. {}", toWord(run->correctness.result), refutationText(run->correctness))
                    : run->reason;
            return Obstacle{"no-valid-time",
                            fmt::format("{} has no valid time{}{}", toText(run->kernel), why.empty() ? "." : ": ", why),
                            {"Correct it, then run it.", {makeRunStep(toText(run->kernel), toText(run->problem))}}};
        }
    if (a.source != b.source)
        return Obstacle{"other-source", "One run is a recording; the other was measured on a GPU.", again, true};
    if (a.device.uuid != b.device.uuid || a.device.name != b.device.name)
        return Obstacle{
            "other-device",
            a.device.name == b.device.name
                ? fmt::format("The runs are from two different devices, both {}: {} and {}.", a.device.name, a.device.uuid, b.device.uuid)
                : fmt::format("The runs are from different devices: {} and {}.", a.device.name, b.device.name),
            again, true};
    const bool driversKnown = !a.device.driverVersion.empty() && !b.device.driverVersion.empty(); // ncu's tables do not say
    if (driversKnown && a.device.driverVersion != b.device.driverVersion)
        return Obstacle{"other-driver",
                        fmt::format("The driver changed from {} to {} between the runs.", a.device.driverVersion, b.device.driverVersion),
                        again, true};
    const std::optional<double> change = relativeChange(a.timing->clockMhz, b.timing->clockMhz);
    if (change && std::abs(*change) > kClockTolerance)
        return Obstacle{"other-clock",
                        fmt::format("The SM clock was {} in one run and {} in the other.", formatClock(*a.timing->clockMhz),
                                    formatClock(*b.timing->clockMhz)),
                        again, true};
    const bool statesKnown = !clockState(a).empty() && !clockState(b).empty();
    if (statesKnown && clockState(a) != clockState(b))
        return Obstacle{"other-clock", "The GPU clocks were locked in one run and unlocked in the other.", again, true};
    return {};
}

/// "transpose/tiled is 1.30× faster than transpose/naive (95 % CI 1.28× to 1.32×)." `kind`: what the interval is.
std::string composeSentence(Verdict verdict, const Ratio& ratio, const std::string& a, const std::string& b, const char* kind = "95 % CI")
{
    const auto interval = [&](const Ratio& shown) { return fmt::format("{} {}", kind, intervalText(shown)); };
    switch (verdict) {
    case Verdict::faster: return fmt::format("{} is {} faster than {} ({}).", b, formatRatio(ratio.value), a, interval(ratio));
    case Verdict::slower:
        return fmt::format("{} is {} slower than {} ({}).", b, formatRatio(1 / ratio.value), a, interval(invertRatio(ratio)));
    case Verdict::equivalent: return fmt::format("{} and {} take the same time ({}).", a, b, interval(ratio));
    default: return fmt::format("No verdict on {} versus {}: {} ({}).", b, a, formatRatio(ratio.value), interval(ratio));
    }
}

/// The sides in sentences: "transpose/naive", and of an edit, whose sides are one kernel, "the old version".
struct SideNames {
    std::string a;
    std::string b;
};

SideNames nameSides(const AbSubject& subject)
{
    if (subject.ofEdit)
        return {"the old version", "the edited " + toText(subject.b)};
    return {toText(subject.a), toText(subject.b)};
}

std::string asSentence(std::string text)
{
    if (text.starts_with("the "))
        text.front() = 'T';
    return text;
}

/// No verdict, since the result of one of the two sides is refuted.
void refuse(Comparison& comparison, const SideNames& names, const Correctness& correctness, const std::string& problem)
{
    const bool first = comparison.refuted->side == "a";
    const bool plain = correctness.result == CorrectnessResult::incorrect;
    const std::string why = refutationText(correctness);
    comparison.verdict = Verdict::notComparable;
    comparison.reason = plain ? "wrong-result" : toWord(correctness.result);
    comparison.sentence = asSentence(fmt::format(
        "{} and {} cannot be compared: {} is {}.{}{}", names.a, names.b, first ? names.a : names.b,
        plain ? std::string("incorrect") : fmt::format("not correct ({})", toWord(correctness.result)), why.empty() ? "" : " ", why));
    advise(comparison, {{}, {makeRunStep(first ? comparison.a : comparison.b, problem)}});
}

Advice adviseNext(const AbVerdict& verdict, const SideNames& names, const Comparison& comparison)
{
    switch (verdict.verdict) {
    case Verdict::faster:
        return {fmt::format("Keep {} if it is correct on the whole suite.", names.b),
                {{StepId::run, {{StepArgument::kernel, comparison.b}, {StepArgument::suite, "on"}}}}};
    case Verdict::slower:
    case Verdict::equivalent: return {fmt::format("Stay with {}.", names.a), {}};
    default: break;
    }
    if (verdict.reason == "effect-below-noise")
        return {fmt::format("Keep {}: the blocks scatter too much for a verdict. Lock the clocks or free the GPU before trying again.",
                            names.a),
                {{StepId::calibrate, {{StepArgument::kernel, comparison.a}}}}};
    return {fmt::format("Stay with {}: the blocks scatter too much to tell. Lock the clocks or free the GPU before another try.", names.a),
            {}};
}

} // namespace

std::vector<CatalogFix> catalogFixesFor(const Catalog& catalog, const RunRecord& run)
{
    std::vector<CatalogFix> catalogFixes;
    const Result<const Variant*> profiled = catalog.variant(run.kernel);
    const std::optional<Chip> chip = run.device.ccMajor > 0 ? std::optional(toChip(run.device)) : std::nullopt;
    for (const Address& twin : catalog.fixesFor(run.kernel, chip, run.problem))
        if (const Result<const Variant*> variant = catalog.variant(twin)) {
            const auto kind = (*variant)->changes.find(run.kernel.variant);
            catalogFixes.push_back({toText(twin), (*variant)->fixTitle, profiled ? (*profiled)->expected.value_or("") : "",
                                    kind != (*variant)->changes.end() ? kind->second : std::string()});
        }
    return catalogFixes;
}

Diagnosis diagnoseIn(const Catalog& catalog, const DiagnosisTree& tree, const RunRecord& run)
{
    const Result<const KernelFamily*> family = catalog.family(run.kernel.family);
    Diagnosis diagnosis = tree.diagnose(run, catalogFixesFor(catalog, run), family && !(*family)->origin.empty());
    if (!family && !run.program && !run.imported) // of another machine's catalog: nothing here can run it
        for (Fix& fix : diagnosis.finding.fixes)
            fix.next.clear();
    return diagnosis;
}

namespace {

/// Ratio of the energies per launch, as that of the times.
EnergyComparison judgeEnergies(const AbEnergy& energy)
{
    EnergyComparison judged;
    judged.reason = energy.reason;
    judged.blocks = static_cast<int>(energy.blocks.size());
    if (energy.blocks.size() < 2)
        return judged;
    std::vector<double> a, b;
    for (const AbBlock& block : energy.blocks) {
        a.insert(a.end(), block.a.begin(), block.a.end());
        b.insert(b.end(), block.b.begin(), block.b.end());
    }
    judged.ratio = computeRatio(energy.blocks);
    judged.aJ = computeMedian(std::move(a));
    judged.bJ = computeMedian(std::move(b));
    return judged;
}

} // namespace

Comparison judgeBlocks(const AbAnswer& answer, const AbSubject& subject, const NoiseFloor& noise, double keepAt)
{
    const std::string a = toText(subject.a);
    const std::string b = toText(subject.b);
    const SideNames names = nameSides(subject);
    Comparison comparison;
    comparison.a = a;
    comparison.b = b;
    comparison.data = answer.blocks;
    comparison.blocks = static_cast<int>(answer.blocks.size());
    comparison.tunables = tunableDifferences(subject.a, subject.b);
    comparison.noise = noise;
    comparison.warnings = answer.warnings;
    comparison.refuted = findRefutedSide(answer.correctnessA, answer.correctnessB);
    if (comparison.refuted) {
        refuse(comparison, names, comparison.refuted->side == "a" ? answer.correctnessA : answer.correctnessB, subject.problem);
        return comparison;
    }
    if (answer.status != ResultStatus::ok || answer.blocks.size() < 2) {
        comparison.verdict = Verdict::notComparable;
        comparison.reason = answer.status != ResultStatus::ok ? "run-failed" : "too-few-blocks";
        comparison.sentence = asSentence(fmt::format("{} and {} cannot be compared: {}.", names.a, names.b,
                                                     answer.reason.empty() ? "too few blocks were measured" : answer.reason));
        advise(comparison, {{}, {makeRunStep(b, subject.problem)}});
        return comparison;
    }
    for (const auto& [side, correctness] : {std::pair{&names.a, &answer.correctnessA}, std::pair{&names.b, &answer.correctnessB}})
        if (correctness->result == CorrectnessResult::correct && !correctness->proof) {
            comparison.warnings.push_back(
                {kPassesUnchecked, fmt::format("The output of the timed passes of {} was not checked: recorded by an "
                                               "earlier version.",
                                               *side)});
            break;
        }
    comparison.statistics =
        fmt::format("Student t on the medians of the paired log ratios of {} interleaved ABBA blocks; checked at 10 and at "
                    "20 blocks, two-sided 97.5 % at each, 95 % overall",
                    comparison.blocks);
    comparison.ratio = computeRatio(answer.blocks);
    if (answer.energy)
        comparison.energy = judgeEnergies(*answer.energy);
    const AbVerdict verdict = judge(*comparison.ratio, comparison.blocks, noise.value.value_or(0));
    comparison.verdict = verdict.verdict;
    comparison.reason = verdict.reason;
    comparison.sentence = asSentence(composeSentence(verdict.verdict, *comparison.ratio, names.a, names.b));
    advise(comparison, adviseNext(verdict, names, comparison));
    for (Warning& warning : noiseWarnings(noise, a, !answer.recordedAt.empty()))
        comparison.warnings.push_back(std::move(warning));
    if (keepAt > 1 && verdict.verdict == Verdict::faster && keepDecision(comparison, keepAt) != KeepDecision::keep)
        advise(comparison, {fmt::format("Keep {}: a change must reach {} to be kept.", names.a, formatRatio(keepAt)), {}});
    return comparison;
}

KeepDecision keepDecision(const Comparison& comparison, double keepAt)
{
    if (!comparison.ratio)
        return KeepDecision::inconclusive;
    return judgeKeep(*comparison.ratio, comparison.blocks, keepAt, comparison.noise.value.value_or(0));
}

bool wantsSecondLook(const Comparison& comparison, double keepAt)
{
    if (!comparison.ratio || comparison.blocks > kBlocksPerLook) // fewer where throttling took some
        return false;
    if (keepAt > 1)
        return keepDecision(comparison, keepAt) == KeepDecision::moreBlocks;
    return judge(*comparison.ratio, comparison.blocks, comparison.noise.value.value_or(0)).needMore;
}

Comparison compareRuns(const RunRecord& a, const RunRecord& b, const NoiseFloor& noise, const std::string& waive)
{
    Comparison comparison;
    comparison.id.text = makeUuidFromName("compare " + a.id.text + ' ' + b.id.text);
    comparison.a = "run:" + a.id.text;
    comparison.b = "run:" + b.id.text;
    comparison.metrics = metricDifferences(a, b);
    comparison.tunables = tunableDifferences(a.kernel, b.kernel);
    comparison.environment = environmentDifferences(a, b);
    comparison.noise = noise;
    const std::optional<Obstacle> found = obstacle(a, b);
    if (found && (waive.empty() || !found->waivable)) {
        comparison.verdict = Verdict::notComparable;
        comparison.reason = found->reason;
        comparison.sentence = found->sentence;
        advise(comparison, found->next);
        if (comparison.reason == "no-valid-time")
            comparison.refuted = findRefutedSide(a.correctness, b.correctness);
        return comparison;
    }
    if (a.timing->gpu.n < 2 || b.timing->gpu.n < 2) {
        comparison.verdict = Verdict::inconclusive;
        comparison.reason = "one-launch";
        comparison.sentence = oneLaunchSentence(a, b);
        advise(comparison, adviseInterleaving(a, b));
        return comparison;
    }
    const double between = std::max(kBetweenRunNoise, noise.value.value_or(0));
    const UnpairedVerdict verdict = judgeUnpaired(a.timing->gpu, b.timing->gpu, between);
    comparison.statistics = fmt::format("Ratio of the medians; interval from the quotient of their 95 % CIs, widened by {} for "
                                        "run-to-run variation: it can show a difference, but not that there is none",
                                        formatPercent(200 * between));
    comparison.verdict = verdict.verdict;
    comparison.reason = verdict.reason;
    advise(comparison, adviseInterleaving(a, b));
    if (verdict.verdict == Verdict::notComparable) {
        comparison.sentence = "One of the runs has no positive time.";
        return comparison;
    }
    comparison.ratio = verdict.ratio;
    comparison.sentence = composeSentence(verdict.verdict, verdict.ratio, toText(a.kernel), toText(b.kernel), "widened interval");
    comparison.warnings.push_back(
        {"not-interleaved", "The runs were not interleaved, so the ratio includes whatever changed on the machine in between."});
    if (found) {
        comparison.waived = fmt::format("{}: {}", found->reason, waive);
        comparison.warnings.push_back({"waived", fmt::format("{} Compared anyway: {}", found->sentence, waive)});
    }
    return comparison;
}

} // namespace kl::inline measure
