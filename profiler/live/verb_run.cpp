// SPDX-License-Identifier: MIT
#include "profiler/live/verbs.h"

#include "core/base/ids.h"
#include "core/base/timings.h"
#include "core/base/try.h"
#include "kernels/model/chip.h"
#include "profiler/live/cupti/range_profiler.h"
#include "profiler/live/measure/collect_metrics.h"
#include "profiler/live/measure/correctness.h"
#include "profiler/live/measure/input_sets.h"
#include "profiler/live/measure/library_output.h"
#include "profiler/live/measure/prove_run.h"
#include "profiler/live/measure/sample_duration.h"
#include "profiler/live/ptx/warp_model.h"
#include "profiler/live/work/experiments.h"
#include "profiler/live/work/nvtx_phase.h"
#include "profiler/live/work/source_profile.h"
#include "profiler/protocol/message_codec.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline live {
namespace {

double secondsSince(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Turns a kernel's failure into the answer; other errors pass on.
Status fail(RunAnswer& answer, const Error& error)
{
    const std::optional<ResultStatus> status = findStatus(error);
    if (!status)
        return error;
    answer.status = *status;
    answer.reason = error.message;
    answer.timing.reset();
    if (contextLost())
        answer.warnings.push_back(workerRestarts());
    return {};
}

void copyFigures(const SuiteRow& row, Correctness& correctness)
{
    correctness.result = row.pass ? CorrectnessResult::correct : CorrectnessResult::incorrect;
    correctness.maxAbs = row.maxAbs;
    correctness.relL2 = row.relL2;
    correctness.meanAbs = row.meanAbs;
    correctness.nonfinite = row.nonfinite;
    correctness.unwritten = row.unwritten;
    correctness.reason = row.reason;
    correctness.firstWrong = row.firstWrong;
    correctness.peerMaxAbs = row.peerMaxAbs;
}

/// checkWork(), then the library's own error beside it, where the request may ask a library.
Result<SuiteRow> makeCheckedRow(GpuSession& session, BuiltWork& work, bool withLibrary, Expected& expected)
{
    Result<SuiteRow> row = checkWork(session, work, &expected);
    if (row && withLibrary && hasLibraryPeer(work))
        holdAgainstLibrary(session, work, expected, *row);
    return row;
}

/// The suite, smallest first, all rows even after a wrong one; stops at a fault.
Status checkSuite(GpuSession& session, const RunRequest& request, const Job& job, Correctness& correctness)
{
    const std::vector<WorkSpec>& suite = request.suite;
    for (std::size_t i = 0; i < suite.size(); ++i) {
        if (job.stop.stop_requested())
            return makeCanceledError();
        const Phase phase(job, fmt::format("correctness {} of {}: {}", i + 1, suite.size(), suite[i].problem));
        Result<std::unique_ptr<BuiltWork>> work = session.build(suite[i]);
        Expected expected;
        Result<SuiteRow> row = work ? makeCheckedRow(session, **work, request.withBaseline, expected) : Result<SuiteRow>(work.error());
        if (!row) {
            SuiteRow broken;
            broken.problem = suite[i].problem;
            broken.reason = row.error().message;
            correctness.suite.push_back(std::move(broken));
            correctness.result = CorrectnessResult::incorrect;
            correctness.reason = row.error().message;
            return row.error();
        }
        correctness.suite.push_back(std::move(*row));
    }
    return {};
}

/// A trial runs on the memory of the input sets that it is measured on, but for one with a baseline, which gets inputs of its own. What
/// its code consists of was known before.
BuildPlace chooseBuildPlace(GpuSession& session, const RunRequest& request)
{
    if (!request.trial.value_or(false))
        return {};
    const std::shared_ptr<InputSets>& shared = session.sharedInputs();
    if (request.withBaseline || isPlaced(request.work) || !shared || !shared->serves(request.work))
        return {.opcodes = false};
    return {.memoryOf = &shared->memory(0), .fillInputs = false, .opcodes = false};
}

/// A run whose work stays built, for the profile that follows.
struct RunState {
    RunAnswer answer;
    std::unique_ptr<BuiltWork> work; ///< null when the run failed
};

Status runInto(GpuSession& session, const RunRequest& request, const Job& job, RunState& state)
{
    RunAnswer& answer = state.answer;
    answer.device = session.device();
    answer.sourceHash = request.work.sourceHash.empty() ? contentHash(request.work.source) : request.work.sourceHash;
    answer.warnings = session.warnings();
    const bool trial = request.trial.value_or(false);
    if (!trial)
        session.endTrials();
    {
        const Phase phase(job, "compiling");
        KL_ASSIGN([[maybe_unused]] const auto compiled, session.compile(request.work));
    }
    if (Status status = checkSuite(session, request, job, answer.correctness); !status)
        return fail(answer, status.error());

    Result<std::unique_ptr<BuiltWork>> work = session.build(request.work, chooseBuildPlace(session, request));
    if (!work)
        return fail(answer, work.error());
    answer.memoryBytes = (*work)->memoryBytes();
    answer.launches = (*work)->facts();
    Expected expected;
    CheckedRun checked;
    if (!trial) {
        const Phase phase(job, fmt::format("correctness: {}", request.work.problem));
        const auto begin = std::chrono::steady_clock::now();
        const Result<SuiteRow> row = makeCheckedRow(session, **work, request.withBaseline, expected);
        if (!row)
            return fail(answer, row.error());
        copyFigures(*row, answer.correctness);
        checked = {row->relL2, secondsSince(begin)};
    }
    for (const SuiteRow& row : answer.correctness.suite)
        if (!row.pass && answer.correctness.result == CorrectnessResult::correct) {
            answer.correctness.result = CorrectnessResult::incorrect;
            answer.correctness.reason = row.problem + ": " + row.reason;
        }
    if (isRefuted(answer.correctness.result)) {
        answer.status = ResultStatus::validationFailed;
        answer.reason = answer.correctness.reason;
        return {};
    }
    if (request.timed) {
        std::optional<Baselines> baselines;
        if (request.withBaseline && (request.baselines || !request.work.baseline.kind.empty())) {
            const Phase phase(job, "preparing the baseline");
            baselines = Baselines::open(request, session, **work);
            baselines->compareOutputs(request.work, expected);
        }
        StopRule rule;
        rule.maxSamples = request.maxSamples;
        rule.minSeconds = request.minSeconds;
        rule.maxSeconds = request.maxSeconds * (baselines && baselines->count() > 1 ? 2 : 1); // several baselines share the time
        session.counterHost(); // a plan in the making would disturb the host times
        if (Status status = proveRun(session, **work, checked, baselines ? &*baselines : nullptr, rule, trial,
                                     request.energy.value_or(false), job, answer);
            !status)
            return fail(answer, status.error());
        answer.launches = (*work)->facts();
    }
    state.work = std::move(*work);
    return {};
}

/// Hot lines are requested outright, or go with the whole set of metrics.
bool wantsSource(const ProfileRequest& request)
{
    return request.source.value_or(request.tier >= 2 && request.metrics.empty());
}

/// Runs some warps of each launch on the host, which takes some tens of milliseconds; once is enough.
void modelLaunches(GpuSession& session, const BuiltWork& work, std::vector<LaunchFacts>& launches)
{
    const auto compiled = session.compile(work.spec());
    if (!compiled)
        return;
    const Timed time("warp model");
    for (std::size_t i = 0; i < std::min(launches.size(), work.spec().launches.size()); ++i)
        if (!launches[i].warp)
            launches[i].warp = modelWarps((*compiled)->ptx, work.spec().launches[i], work.spec().buffers,
                                          [&](const std::string& name) { return work.initial(name); });
}

/// Experiments with the launch shape, which help where there are no counters. The measurement is valid even if they fail.
Status experiment(GpuSession& session, BuiltWork& work, const Job& job, RunAnswer& answer)
{
    if (isPlaced(work.spec())) // blocks that wait for each other need the shape that they were launched with
        return {};
    Result<std::vector<Experiment>> made = makeExperiments(work, longestLaunch(work.facts()), session.bench(), session.device(), job);
    if (made) {
        answer.experiments = std::move(*made);
        return {};
    }
    if (made.error().code == ErrorCode::interrupted)
        return made.error();
    answer.warnings.push_back({"no-experiments", "The launch shape could not be changed for an experiment: " + made.error().message});
    if (contextLost())
        answer.warnings.push_back(workerRestarts());
    return {};
}

Result<SourceProfile> collectSource(GpuSession& session, BuiltWork& work, const Job& job)
{
    KL_ASSIGN(const auto compiled, session.compile(work.spec()));
    SourceTarget target;
    target.context = session.context();
    target.stream = session.bench().stream();
    target.device = session.device();
    target.cubin = compiled->cubin;
    target.launch = longestLaunch(work.facts());
    if (const Result<SassCounter*> counter = session.instructionCounter(); counter)
        target.counter = *counter;
    else
        target.noCounter = counter.error().message;
    target.rebuild = [&] { return session.build(work.spec(), {.memoryOf = &work}); };
    target.keepLoaded = [&](std::shared_ptr<const Module> module) { session.keepLoaded(std::move(module)); };
    return profileSource(work, target, job);
}

} // namespace

Warning workerRestarts()
{
    return {"worker-restarts",
            "The kernel corrupted the worker's GPU context; the worker exits after this answer and the next request starts a "
            "new one."};
}

Result<CompileAnswer> compileWork(GpuSession& session, const CompileRequest& request, const Job& job)
{
    const Phase phase(job, "compiling");
    CompileAnswer answer;
    KL_ASSIGN(const auto compiled, session.compile(request.work));
    answer.arch = *targetOn(request.work.kernel, request.work.targets, toChip(session.device())); // checked when compiling
    answer.log = compiled->log;
    answer.seconds = compiled->seconds;
    if (!compiled->ok) {
        answer.status = ResultStatus::compilationFailed;
        answer.reason = fmt::format("{} does not compile.", request.work.kernel);
        return answer;
    }
    Result<std::vector<LaunchFacts>> launches = describeLaunches(request.work, *compiled, session.device());
    if (!launches) {
        const std::optional<ResultStatus> status = findStatus(launches.error());
        if (!status)
            return launches.error();
        answer.status = *status;
        answer.reason = launches.error().message;
        return answer;
    }
    answer.launches = std::move(*launches);
    return answer;
}

Result<RunAnswer> runWork(GpuSession& session, const RunRequest& request, const Job& job)
{
    const auto begin = std::chrono::steady_clock::now();
    RunState state;
    KL_TRY(runInto(session, request, job, state));
    state.answer.workerSeconds = secondsSince(begin);
    return std::move(state.answer);
}

Result<RunAnswer> profileWork(GpuSession& session, const ProfileRequest& request, const Job& job)
{
    const auto begin = std::chrono::steady_clock::now();
    RunState state;
    if (request.counters.value_or(true))
        session.planCounters({request.tier, request.metrics, request.maxPasses});
    KL_TRY(runInto(session, request.run, job, state));
    RunAnswer& answer = state.answer;
    if (answer.status != ResultStatus::ok || !state.work)
        return std::move(answer);
    if (job.stop.stop_requested())
        return makeCanceledError();
    const bool counts = request.counters.value_or(true);
    const bool modeled = !counts || (request.tier >= 2 && request.metrics.empty());
    if (modeled)
        modelLaunches(session, *state.work, answer.launches);
    if (modeled && job.partial) // enough for a first finding, while counters and samples take as long again
        job.partial(toJsonMessage(answer));
    if (!counts) {
        if (request.experiments.value_or(true))
            KL_TRY(experiment(session, *state.work, job, answer));
        answer.workerSeconds = secondsSince(begin);
        return std::move(answer);
    }
    Result<MetricSet> metrics = collectMetrics(session, *state.work, request, job);
    if (wantsSource(request))
        session.releaseCounters(); // nothing else can be sampled while they are held
    if (metrics)
        answer.metrics = std::move(*metrics);
    else if (contextLost())
        KL_TRY(fail(answer, metrics.error()));
    else { // the run is valid; without counters the diagnosis infers
        answer.warnings.push_back(
            {"no-counters", metrics.error().message + (metrics.error().hint.empty() ? "" : ' ' + metrics.error().hint)});
        modelLaunches(session, *state.work, answer.launches);
    }
    if (wantsSource(request) && answer.status == ResultStatus::ok) {
        Result<SourceProfile> source = collectSource(session, *state.work, job);
        if (source)
            answer.sourceProfile = std::move(*source);
        else
            KL_TRY(fail(answer, source.error()));
    }
    if (answer.status == ResultStatus::ok && request.pmSampling.value_or(false)) {
        Result<PmSampling> sampling = sampleDuration(session, *state.work, job);
        if (sampling)
            answer.pmSampling = std::move(*sampling);
        else
            KL_TRY(fail(answer, sampling.error()));
    }
    if (answer.status == ResultStatus::ok && request.experiments.value_or(!answer.metrics.has_value())) {
        session.releaseCounters(); // activities cannot be recorded while they are held
        KL_TRY(experiment(session, *state.work, job, answer));
    }
    answer.workerSeconds = secondsSince(begin);
    return std::move(answer);
}

} // namespace kl::inline live
