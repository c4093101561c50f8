// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "sessions/session/session_template.h"
#include "sessions/store/store.h"

#include <mutex>
#include <string>
#include <vector>

namespace kl {

/// Notices of silence during one action: passed on to the caller, and kept with the session afterwards. The session's own threshold
/// silence_timeout_s says when work is silent.
class Stalls {
public:
    Stalls(const Job& outer, const SessionTemplate& plan);
    Stalls(const Stalls&) = delete;
    Stalls& operator=(const Stalls&) = delete;

    /// What the action is to be given in the place of the outer job.
    const Job& job() const { return job_; }
    /// Call once the action is over. A failure to keep them changes nothing.
    void keep(Store& store, const SessionId& id, const std::string& action);

private:
    Job job_;
    std::mutex mutex_;
    std::vector<std::string> texts_;
};

} // namespace kl
