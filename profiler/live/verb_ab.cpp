// SPDX-License-Identifier: MIT
#include "profiler/live/verbs.h"

#include "core/base/ids.h"
#include "core/stats/robust.h"
#include "profiler/live/work/correctness.h"
#include "profiler/live/work/nvtx_phase.h"

#include <array>
#include <fmt/format.h>

namespace kl {
namespace {

constexpr int kTrialPasses = 5;

/// Builds one side and checks it; a failure of the kernel ends up in the answer, with the side named.
Result<std::unique_ptr<BuiltWork>> prepareSide(GpuSession& session, const WorkSpec& spec, const BuiltWork* memoryOf, bool check,
                                               const Job& job, Correctness& correctness)
{
    const Phase phase(job, (check ? "checking " : "building ") + spec.kernel);
    Result<std::unique_ptr<BuiltWork>> work = session.build(spec, memoryOf);
    if (!work || !check)
        return work;
    const Result<SuiteRow> row = checkWork(session, **work);
    if (!row)
        return row.error();
    correctness.result = row->pass ? CorrectnessResult::correct : CorrectnessResult::incorrect;
    correctness.maxAbs = row->maxAbs;
    correctness.relL2 = row->relL2;
    correctness.nonfinite = row->nonfinite;
    correctness.unwritten = row->unwritten;
    correctness.reason = row->reason;
    correctness.firstWrong = row->firstWrong;
    return work;
}

struct MeasuredBlock {
    AbBlock block;
    bool throttled = false; ///< a group was dropped for it
};

/// One re-entered block: everything idle, both sides warmed, then ABBA groups, each pass L2 cold behind a fresh gate.
Result<MeasuredBlock> measureBlock(Bench& bench, ActivityRecorder& recorder, std::array<BuiltWork*, 2> sides, const BlockPlan& plan)
{
    constexpr std::array<int, 4> kOrder{0, 1, 1, 0};
    KL_TRY(KL_CUDA(CtxSynchronize));
    for (BuiltWork* side : sides) {
        KL_TRY(side->issue());
        KL_TRY(waitFor(bench.stream(), kHangSeconds));
    }
    if (const auto before = recorder.drain(); !before)
        return before.error();
    std::vector<std::size_t> activities;
    std::vector<int> who;
    for (int group = 0; group < plan.groups; ++group)
        for (const int side : kOrder) {
            BuiltWork* work = sides[static_cast<std::size_t>(side)];
            KL_TRY(bench.enqueue([&] { return work->issue(); }, true, plan.primed));
            activities.push_back(work->order().size());
            who.push_back(side);
        }
    const Result<std::vector<std::optional<Sample>>> samples = bench.collect(recorder, activities);
    if (!samples)
        return samples.error();
    MeasuredBlock measured;
    AbBlock& block = measured.block;
    for (std::size_t at = 0; at + 4 <= samples->size(); at += 4) {
        bool whole = true; // a group with a lost or throttled pass goes as a whole: sides stay paired
        for (std::size_t i = at; i < at + 4; ++i) {
            measured.throttled = measured.throttled || ((*samples)[i] && (*samples)[i]->throttled);
            whole = whole && (*samples)[i] && !(*samples)[i]->throttled;
        }
        for (std::size_t i = at; whole && i < at + 4; ++i)
            (who[i] == 0 ? block.a : block.b).push_back((*samples)[i]->spanNs);
    }
    return measured;
}

/// Median of a few passes, ns: how long a pass takes, roughly. 0 where none came back.
Result<double> passTime(Bench& bench, ActivityRecorder& recorder, BuiltWork& work)
{
    const Result<std::vector<Sample>> passes = bench.measure(
        recorder, [&] { return work.issue(); }, work.order().size(), kTrialPasses, true);
    if (!passes)
        return passes.error();
    std::vector<double> times;
    for (const Sample& pass : *passes)
        times.push_back(pass.spanNs);
    return times.empty() ? 0 : medianOf(std::move(times));
}

/// A block that throttling spoilt is measured again after a pause, while patience lasts; then what is left of it counts.
Result<AbBlock> patientBlock(Bench& bench, ActivityRecorder& recorder, std::array<BuiltWork*, 2> sides, const BlockPlan& plan,
                             Patience& patience, const Job& job)
{
    for (;;) {
        Result<MeasuredBlock> measured = measureBlock(bench, recorder, sides, plan);
        if (!measured)
            return measured.error();
        const std::optional<double> pause = measured->throttled ? patience.next() : std::nullopt;
        if (!pause)
            return std::move(measured->block);
        waitForCooling(*pause, job);
        if (job.stop.stop_requested())
            return cancelled();
    }
}

Status compareInto(GpuSession& session, const AbRequest& request, const Job& job, AbAnswer& answer)
{
    const bool check = request.check.value_or(true);
    Result<std::unique_ptr<BuiltWork>> a = prepareSide(session, request.a, nullptr, check, job, answer.correctnessA);
    if (!a)
        return a.error();
    Result<std::unique_ptr<BuiltWork>> b = prepareSide(session, request.b, a->get(), check, job, answer.correctnessB);
    if (!b)
        return b.error();
    for (const auto& [spec, correctness] : {std::pair(&request.a, &answer.correctnessA), std::pair(&request.b, &answer.correctnessB)})
        if (isRefuted(correctness->result)) {
            answer.status = ResultStatus::validationFailed;
            answer.reason = spec->kernel + ": " + correctness->reason;
            return {};
        }
    Result<std::unique_ptr<ActivityRecorder>> recorder = ActivityRecorder::start();
    if (!recorder)
        return recorder.error();
    const Result<double> pass = passTime(session.bench(), **recorder, **a);
    if (!pass)
        return pass.error();
    const BlockPlan plan = planOfBlock(request.perBlock, *pass);
    int lost = 0;
    Patience patience;
    for (int i = 0; i < request.blocks; ++i) {
        if (job.stop.stop_requested())
            return cancelled();
        const Phase phase(job, fmt::format("block {} of {}", i + 1, request.blocks));
        Result<AbBlock> block = patientBlock(session.bench(), **recorder, {a->get(), b->get()}, plan, patience, job);
        if (!block)
            return block.error();
        if (block->a.empty()) {
            ++lost;
            continue;
        }
        answer.blocks.push_back(std::move(*block));
    }
    if (patience.waited() > 0)
        answer.warnings.push_back(
            {"throttled", fmt::format("The GPU was throttled: {:.1f} s were waited and blocks measured again.", patience.waited())});
    if (lost > 0)
        answer.warnings.push_back(
            {"samples-discarded", fmt::format("{} of {} blocks were lost to throttling or dropped records.", lost, request.blocks)});
    return {};
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
        const std::optional<ResultStatus> ended = statusOf(status.error());
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

} // namespace kl
