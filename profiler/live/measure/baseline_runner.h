// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "kernels/model/work.h"
#include "profiler/live/work/bench.h"
#include "profiler/live/work/stream_baseline.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline live {

class BuiltWork;
class GpuSession;

/// What the kernel must beat, measured in blocks that alternate with the kernel's own.
class BaselineRunner {
public:
    /// Prepares a baseline of one kind; `spec.fallback` is used when it is unavailable. Never fails: result().unavailable is the reason
    /// why a baseline cannot be measured. `work`: the kernel's, with the inputs for the libraries.
    static BaselineRunner open(const BaselineSpec& spec, GpuSession& session, const BuiltWork& work);

    /// Host time of the baseline if we issue it; before activity is recorded. Then one block of `samples` passes.
    Status hostBlock(int samples);
    Status block(ActivityRecorder& recorder, int samples);

    /// Its output for the kernel's inputs; unset if it does not solve the kernel's problem, or is unavailable.
    std::optional<std::vector<std::byte>> output();

    /// Errors of output() against the kernel's reference.
    void setErrors(double maxAbs, double relL2);

    /// The summary of all blocks.
    Baseline result() const;

private:
    BaselineRunner(const BaselineSpec& spec, GpuSession& session, const BuiltWork& work) : spec_(spec), session_(&session), work_(&work) {}
    void use(const std::string& kind);
    Status prepare(const std::string& kind);
    void giveUp(const Error& reason);
    void forget();
    Status pythonBlock(int samples);
    Status streamBlock(ActivityRecorder& recorder, int samples);

    BaselineSpec spec_;
    GpuSession* session_;
    const BuiltWork* work_;
    std::string kind_; ///< empty: none
    Baseline answer_;
    std::unique_ptr<StreamBaseline> stream_; ///< of every kind but python
    std::vector<std::string> activities_;    ///< of one call, in order; empty until the first block
    std::vector<double> gpuNs_;
    std::vector<double> kernelsNs_;
    std::vector<double> hostNs_;
};

} // namespace kl::inline live
