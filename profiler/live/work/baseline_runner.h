// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "kernels/work.h"
#include "profiler/live/python/python_baseline.h"
#include "profiler/live/work/bench.h"

#include <functional>
#include <memory>

namespace kl {

/// Gives the python helper, started on first use and kept for the worker's life.
using PythonSource = std::function<Result<PythonBaseline*>()>;

/// What the kernel must beat, measured in blocks that alternate with the kernel's own.
class BaselineRunner {
public:
    /// Prepares a baseline of one kind; `spec.fallback` is taken when it is unavailable. Never fails: a baseline that cannot be
    /// measured says why in result().unavailable.
    static BaselineRunner open(const BaselineSpec& spec, const DeviceInfo& device, Bench& bench, PythonSource python);

    /// Host time of the baseline where it is ours to issue; before activity is recorded. Then one block of `samples` passes.
    Status hostBlock(int samples);
    Status block(ActivityRecorder& recorder, int samples);

    /// The summary of all blocks.
    Baseline result() const;

private:
    BaselineRunner(const BaselineSpec& spec, const DeviceInfo& device, Bench& bench, PythonSource python)
        : spec_(spec), device_(device), bench_(&bench), python_(std::move(python))
    {
    }
    void use(const std::string& kind);
    void giveUp(const std::string& reason);
    Status prepareCopy(double bytes);
    Status copy();
    Status pythonBlock(int samples);
    Status copyBlock(ActivityRecorder& recorder, int samples);

    BaselineSpec spec_;
    DeviceInfo device_;
    Bench* bench_;
    PythonSource python_;
    std::string kind_; ///< empty: none
    Baseline answer_;
    DeviceMemory from_;
    DeviceMemory to_;
    std::size_t copyBytes_ = 0;
    std::vector<double> gpuNs_;
    std::vector<double> hostNs_;
};

} // namespace kl
