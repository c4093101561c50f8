// SPDX-License-Identifier: MIT
#include "profiler/live/measure/prove_run.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "profiler/live/measure/measure_energy.h"
#include "profiler/live/measure/measure_run.h"

namespace kl::inline live {
namespace {

/// A trial all of whose first passes take so many times as long as the best so far will not become the best.
constexpr double kHopeless = 1.5;

Result<std::shared_ptr<InputSets>> inputsFor(GpuSession& session, BuiltWork& work, const CheckedRun& checked, bool trial)
{
    std::shared_ptr<InputSets>& shared = session.sharedInputs();
    if (trial && shared && shared->serves(work.spec()))
        return shared;
    shared.reset(); // their memory may be needed
    Result<std::shared_ptr<InputSets>> made = InputSets::make(session, work, checked.referenceSeconds);
    if (made && trial)
        shared = *made;
    return made;
}

StopRule ruleFor(StopRule rule, const InputSets& inputs, bool trial)
{
    if (trial)
        rule.hopelessNs = kHopeless * inputs.bestTrialNs();
    return rule;
}

bool isRefutal(const Status& status)
{
    return !status && status.error().detail == kRefuted;
}

} // namespace

Status proveRun(GpuSession& session, BuiltWork& work, const CheckedRun& checked, Baselines* baselines, const StopRule& rule, bool trial,
                bool energy, const Job& job, RunAnswer& answer)
{
    KL_ASSIGN(std::shared_ptr<InputSets> inputs, inputsFor(session, work, checked, trial));
    std::unique_ptr<ProvenWork> proven;
    Timed first("first answers");
    Status status = ProvenWork::make(session, work, inputs, proven);
    first.end();
    if (status)
        status = measureRun(session, work, *proven, baselines, ruleFor(rule, *inputs, trial && !baselines), trial, job, answer);
    if (status && trial && answer.timing)
        inputs->noteTrial(answer.timing->gpu.median);
    if (status && energy && answer.timing) {
        KL_ASSIGN(answer.timing->energy,
                  measurePassEnergy(session, *proven, answer.timing->gpuHot.value_or(answer.timing->gpu.median), job));
    }
    if (!status && !isRefutal(status))
        return status;
    if (status) {
        if (trial)
            answer.correctness.result = CorrectnessResult::correct; // until something refutes it
        const Timed conclusion("end of the proof");
        const std::optional<double> cold = answer.timing ? std::optional(answer.timing->gpu.median) : std::nullopt;
        KL_TRY(proven->conclude(cold, checked.relL2, answer.correctness));
    } else {
        proven->report(answer.correctness);
    }
    if (proven->refutation()) {
        session.sharedInputs().reset(); // it may have written them
        answer.status = ResultStatus::validationFailed;
        answer.reason = answer.correctness.reason;
        answer.timing.reset();
    }
    return {};
}

} // namespace kl::inline live
