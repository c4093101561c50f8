// SPDX-License-Identifier: MIT
#include "profiler/live/measure/baselines.h"

#include "core/model/baselines.h"
#include "profiler/live/measure/correctness.h"

namespace kl::inline live {

Baselines Baselines::open(const RunRequest& request, GpuSession& session, const BuiltWork& work)
{
    Baselines all;
    all.named_ = request.baselines.has_value();
    for (const BaselineSpec& spec : all.named_ ? *request.baselines : std::vector<BaselineSpec>{request.work.baseline})
        if (!spec.kind.empty())
            all.runners_.push_back(BaselineRunner::open(spec, session, work));
    return all;
}

void Baselines::compareOutputs(const WorkSpec& spec, const Expected& expected)
{
    for (const BufferSpec& buffer : spec.buffers) {
        if (buffer.name != spec.reference.output || expected.values.empty())
            continue;
        for (BaselineRunner& runner : runners_) {
            const std::optional<std::vector<std::byte>> output = runner.output();
            if (!output)
                continue;
            const SuiteRow row = compareOutput(*output, buffer.type, expected, spec.tolerance);
            if (row.nonfinite == 0)
                runner.setErrors(row.maxAbs, row.relL2);
        }
    }
}

Status Baselines::hostBlocks(int samples)
{
    for (BaselineRunner& runner : runners_)
        KL_TRY(runner.hostBlock(samples));
    return {};
}

Status Baselines::blocks(ActivityRecorder& recorder, int samples)
{
    for (BaselineRunner& runner : runners_)
        KL_TRY(runner.block(recorder, samples));
    return {};
}

void Baselines::fill(RunAnswer& answer) const
{
    std::vector<Baseline> results;
    for (const BaselineRunner& runner : runners_)
        results.push_back(runner.result());
    answer.baseline = findFastest(results);
    if (named_)
        answer.baselines = std::move(results);
}

} // namespace kl::inline live
