// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "sessions/session/session_template.h"
#include "sessions/store/store.h"

#include <mutex>
#include <string>
#include <vector>

namespace kl::inline engine {

/// Notices of missing progress during one action: passed to the caller, and recorded in the session afterwards. The session's own threshold
/// silence_timeout_s is the limit.
class Stalls {
public:
    Stalls(const Job& outer, const SessionTemplate& plan);
    Stalls(const Stalls&) = delete;
    Stalls& operator=(const Stalls&) = delete;

    /// The job for the action, replacing the outer one.
    const Job& job() const { return job_; }
    /// Call once the action is over. A failure to record them is ignored.
    void keep(Store& store, const SessionId& id, const std::string& action);

private:
    Job job_;
    std::mutex mutex_;
    std::vector<std::string> texts_;
};

} // namespace kl::inline engine
