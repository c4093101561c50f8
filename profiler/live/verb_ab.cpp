// SPDX-License-Identifier: MIT
#include "profiler/live/verbs.h"

#include "core/base/ids.h"
#include "core/base/try.h"
#include "core/stats/robust.h"
#include "profiler/live/measure/correctness.h"
#include "profiler/live/measure/measure_energy.h"
#include "profiler/live/measure/proven_work.h"
#include "profiler/live/work/nvtx_phase.h"

#include <array>
#include <chrono>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr int kTrialPasses = 5;
/// Pairs of energy windows, a second or more each: enough for an interval.
constexpr int kEnergyBlocks = 5;

struct Side {
    std::unique_ptr<BuiltWork> work;
    std::unique_ptr<ProvenWork> proven;
    double relL2 = 0;
    double referenceSeconds = 0;
};

/// Builds one side and checks it; a failure of the kernel ends up in the answer, with the side named.
Status prepareSide(GpuSession& session, const WorkSpec& spec, const BuiltWork* memoryOf, bool check, const Job& job, Side& side,
                   Correctness& correctness)
{
    const Phase phase(job, (check ? "checking " : "building ") + spec.kernel);
    KL_ASSIGN(std::unique_ptr<BuiltWork> work, session.build(spec, {.memoryOf = memoryOf}));
    side.work = std::move(work);
    if (!check)
        return {};
    const auto begin = std::chrono::steady_clock::now();
    KL_ASSIGN(const SuiteRow row, checkWork(session, *side.work));
    side.relL2 = row.relL2;
    side.referenceSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    correctness.result = row.pass ? CorrectnessResult::correct : CorrectnessResult::incorrect;
    correctness.maxAbs = row.maxAbs;
    correctness.relL2 = row.relL2;
    correctness.meanAbs = row.meanAbs;
    correctness.nonfinite = row.nonfinite;
    correctness.unwritten = row.unwritten;
    correctness.reason = row.reason;
    correctness.firstWrong = row.firstWrong;
    return {};
}

/// Both sides' first answers, on input sets that they share unless their inputs have different shapes.
Status proveSides(GpuSession& session, std::array<Side, 2>& sides)
{
    std::shared_ptr<InputSets> inputs;
    for (Side& side : sides) {
        if (!inputs || !inputs->serves(side.work->spec())) {
            KL_ASSIGN(std::shared_ptr<InputSets> made, InputSets::make(session, *side.work, side.referenceSeconds));
            inputs = std::move(made);
        }
        KL_TRY(ProvenWork::make(session, *side.work, inputs, side.proven));
    }
    return {};
}

struct MeasuredBlock {
    AbBlock block;
    bool throttled = false; ///< a group was dropped for it
};

/// One re-entered block: everything idle, lifted memory elsewhere, both sides warmed, then ABBA groups, each pass L2 cold behind a fresh
/// gate.
Result<MeasuredBlock> measureBlock(Bench& bench, ActivityRecorder& recorder, std::array<Side, 2>& sides, const BlockPlan& plan)
{
    constexpr std::array<int, 4> kOrder{0, 1, 1, 0};
    KL_TRY(KL_CUDA(CtxSynchronize));
    for (const Side& side : sides) { // a lifted launch and its rewrite share theirs, which moves twice: an odd number of places visits all
        KL_TRY(side.work->moveMemory());
        KL_TRY(side.proven->issue(side.proven->draw()));
        KL_TRY(waitFor(bench.stream(), kHangSeconds));
    }
    KL_ASSIGN([[maybe_unused]] const auto drained, recorder.drain());
    std::vector<std::size_t> activities;
    std::vector<int> who;
    for (int group = 0; group < plan.groups; ++group) {
        const std::size_t drawn = sides[0].proven->draw(); // for the whole group: its two sides stay paired
        for (const int which : kOrder) {
            const Side& side = sides[static_cast<std::size_t>(which)];
            KL_TRY(bench.enqueue(side.proven->on(drawn % side.proven->sets(), true), true, plan.primed));
            activities.push_back(side.work->order().size());
            who.push_back(which);
        }
    }
    KL_ASSIGN(const std::vector<std::optional<Sample>> samples, bench.collect(recorder, activities));
    MeasuredBlock measured;
    AbBlock& block = measured.block;
    for (std::size_t at = 0; at + 4 <= samples.size(); at += 4) {
        bool whole = true; // a group with a lost or throttled pass goes as a whole: sides stay paired
        for (std::size_t i = at; i < at + 4; ++i) {
            measured.throttled = measured.throttled || (samples[i] && samples[i]->throttled);
            whole = whole && samples[i] && !samples[i]->throttled;
        }
        for (std::size_t i = at; whole && i < at + 4; ++i)
            (who[i] == 0 ? block.a : block.b).push_back(samples[i]->spanNs);
    }
    return measured;
}

/// Median of a few passes, ns: how long a pass takes, roughly. 0 where none came back.
Result<double> passTime(Bench& bench, ActivityRecorder& recorder, const Side& side)
{
    KL_ASSIGN(const std::vector<Sample> passes,
              bench.measurePasses(
                  recorder, [&] { return side.proven->next(true); }, side.work->order().size(), kTrialPasses, true));
    std::vector<double> times;
    for (const Sample& pass : passes)
        times.push_back(pass.spanNs);
    return times.empty() ? 0 : computeMedian(std::move(times));
}

/// A block that throttling spoilt is measured again after a pause, while patience lasts; then what is left of it counts.
Result<AbBlock> patientBlock(Bench& bench, ActivityRecorder& recorder, std::array<Side, 2>& sides, const BlockPlan& plan,
                             Patience& patience, const Job& job)
{
    for (;;) {
        KL_ASSIGN(MeasuredBlock measured, measureBlock(bench, recorder, sides, plan));
        const std::optional<double> pause = measured.throttled ? patience.next() : std::nullopt;
        if (!pause)
            return std::move(measured.block);
        waitForCooling(*pause, job);
        if (job.stop.stop_requested())
            return makeCanceledError();
    }
}

Status measureBlocks(GpuSession& session, const AbRequest& request, const Job& job, std::array<Side, 2>& sides, AbAnswer& answer)
{
    KL_TRY(proveSides(session, sides));
    KL_ASSIGN(std::unique_ptr<ActivityRecorder> recorder, ActivityRecorder::start());
    KL_ASSIGN(const double pass, passTime(session.bench(), *recorder, sides[0]));
    const BlockPlan plan = planBlock(request.perBlock, pass);
    int lost = 0;
    Patience patience;
    for (int i = 0; i < request.blocks; ++i) {
        if (job.stop.stop_requested())
            return makeCanceledError();
        const Phase phase(job, fmt::format("block {} of {}", i + 1, request.blocks));
        KL_ASSIGN(AbBlock block, patientBlock(session.bench(), *recorder, sides, plan, patience, job));
        if (block.a.empty()) {
            ++lost;
            continue;
        }
        answer.blocks.push_back(std::move(block));
    }
    if (patience.waited() > 0)
        answer.warnings.push_back(
            {"throttled", fmt::format("The GPU was throttled: waited {:.1f} s and measured blocks again.", patience.waited())});
    if (lost > 0)
        answer.warnings.push_back(
            {"samples-discarded", fmt::format("{} of {} blocks were lost to throttling or dropped records.", lost, request.blocks)});
    return {};
}

/// Energy per launch of both sides, in turns, so that a GPU that warms up meets both.
Status measureEnergies(GpuSession& session, const Job& job, std::array<Side, 2>& sides, const std::array<double, 2>& passNs,
                       AbEnergy& energies)
{
    for (int i = 0; i < kEnergyBlocks; ++i) {
        AbBlock block;
        for (const std::size_t turn : {0U, 1U}) {
            const std::size_t which = (turn + static_cast<std::size_t>(i)) % sides.size();
            KL_ASSIGN(const Energy energy, measurePassEnergy(session, *sides[which].proven, passNs[which], job));
            if (!energy.perLaunchJ) {
                energies.blocks.clear();
                energies.reason = fmt::format("{}: {}", sides[which].work->spec().kernel, energy.reason);
                return {};
            }
            (which == 0 ? block.a : block.b).push_back(*energy.perLaunchJ);
        }
        energies.blocks.push_back(std::move(block));
    }
    return {};
}

/// All times of one side, their median; unset where there are none.
std::optional<double> medianTime(const std::vector<AbBlock>& blocks, std::vector<double> AbBlock::*side)
{
    std::vector<double> all;
    for (const AbBlock& block : blocks)
        all.insert(all.end(), (block.*side).begin(), (block.*side).end());
    return all.empty() ? std::nullopt : std::optional(computeMedian(std::move(all)));
}

/// What the proofs of the two sides come to, also where a refuted pass ended the measurement.
Status concludeSides(const std::array<Side, 2>& sides, bool whole, AbAnswer& answer)
{
    constexpr std::array kTimes{&AbBlock::a, &AbBlock::b};
    const std::array correctness{&answer.correctnessA, &answer.correctnessB};
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (!sides[i].proven)
            continue;
        if (whole)
            KL_TRY(sides[i].proven->conclude(medianTime(answer.blocks, kTimes[i]), sides[i].relL2, *correctness[i]));
        else
            sides[i].proven->report(*correctness[i]);
        if (!sides[i].proven->refutation())
            continue;
        answer.status = ResultStatus::validationFailed;
        answer.reason = sides[i].work->spec().kernel + ": " + correctness[i]->reason;
        answer.blocks.clear();
    }
    return {};
}

Status compareInto(GpuSession& session, const AbRequest& request, const Job& job, AbAnswer& answer)
{
    const bool check = request.check.value_or(true);
    std::array<Side, 2> sides;
    KL_TRY(prepareSide(session, request.a, nullptr, check, job, sides[0], answer.correctnessA));
    KL_TRY(prepareSide(session, request.b, sides[0].work.get(), check, job, sides[1], answer.correctnessB));
    for (const auto& [spec, correctness] : {std::pair(&request.a, &answer.correctnessA), std::pair(&request.b, &answer.correctnessB)})
        if (isRefuted(correctness->result)) {
            answer.status = ResultStatus::validationFailed;
            answer.reason = spec->kernel + ": " + correctness->reason;
            return {};
        }
    Status measured = measureBlocks(session, request, job, sides, answer);
    if (measured && request.energy.value_or(false)) {
        const std::array passNs{medianTime(answer.blocks, &AbBlock::a).value_or(0), medianTime(answer.blocks, &AbBlock::b).value_or(0)};
        measured = measureEnergies(session, job, sides, passNs, answer.energy.emplace());
    }
    if (!measured && measured.error().detail != kRefuted)
        return measured;
    return concludeSides(sides, measured.ok(), answer);
}

} // namespace

Result<AbAnswer> compareWorks(GpuSession& session, const AbRequest& request, const Job& job)
{
    AbAnswer answer;
    answer.device = session.device();
    answer.sourceHashA = request.a.sourceHash.empty() ? contentHash(request.a.source) : request.a.sourceHash;
    answer.sourceHashB = request.b.sourceHash.empty() ? contentHash(request.b.source) : request.b.sourceHash;
    answer.warnings = session.warnings();
    if (const Status status = compareInto(session, request, job, answer); !status) {
        const std::optional<ResultStatus> ended = findStatus(status.error());
        if (!ended)
            return status.error();
        answer.status = *ended;
        answer.reason = status.error().message;
        answer.blocks.clear();
        if (contextLost())
            answer.warnings.push_back(workerRestarts());
    }
    return answer;
}

} // namespace kl::inline live
