// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/reference/reference.h"
#include "profiler/live/measure/baseline_runner.h"
#include "profiler/protocol/messages.h"

#include <vector>

namespace kl::inline live {

/// The baselines of one run, whose blocks take turns with the kernel's: its own, or those that were requested by name.
class Baselines {
public:
    /// Prepares those of the request. Never fails, as BaselineRunner::open.
    static Baselines open(const RunRequest& request, GpuSession& session, const BuiltWork& work);

    std::size_t count() const noexcept { return runners_.size(); }

    /// Checks each output against the work's reference, if both exist.
    void compareOutputs(const WorkSpec& spec, const Expected& expected);

    Status hostBlocks(int samples);

    /// A block of each, in turn.
    Status blocks(ActivityRecorder& recorder, int samples);

    /// The figures: `baseline` is the only one, or the fastest.
    void fill(RunAnswer& answer) const;

private:
    std::vector<BaselineRunner> runners_;
    bool named_ = false;
};

} // namespace kl::inline live
