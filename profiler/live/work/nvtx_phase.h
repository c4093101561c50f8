// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/timings.h"
#include "profiler/collector.h"

#include <string>

namespace kl::inline live {

/// One phase of a request: an NVTX range for watching the worker in a profiler, a progress event, and a part of the answer's
/// timings.
class Phase {
public:
    Phase(const Job& job, const std::string& step);
    ~Phase();
    Phase(const Phase&) = delete;
    Phase& operator=(const Phase&) = delete;

private:
    Timed time_;
};

/// Lets a throttled GPU cool and reports it; wakes soon after a cancel.
void waitForCooling(double seconds, const Job& job);

/// The Error of a canceled request.
Error makeCanceledError();

} // namespace kl::inline live
