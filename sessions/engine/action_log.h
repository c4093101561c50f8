// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"
#include "sessions/session/session_action.h"
#include "sessions/session/session_model.h"
#include "sessions/store/store.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline engine {

/// How often a running action writes into its session's log: every two to three minutes, by the October 2025 documents' pattern 11,
/// "communication cadence".
inline constexpr std::chrono::milliseconds kLogEvery = std::chrono::seconds(150);

/// What a session's log gets of one action besides its result: while it runs, a line with the elapsed time, the step and the expected time
/// at least every `every`; afterwards the notices of missing progress, whose limit is the session's own threshold silence_timeout_s. A
/// failure to write either is ignored.
class ActionLog {
public:
    ActionLog(const Job& outer, Store& store, SessionModel& model, SessionAction action, std::chrono::milliseconds every = kLogEvery);
    ActionLog(const ActionLog&) = delete;
    ActionLog& operator=(const ActionLog&) = delete;

    /// The job for the action, replacing the outer one.
    const Job& job() const { return job_; }
    /// Call once the action is over, with its event, if it has one: it gets the number after what was written meanwhile.
    void end(SessionEvent* event);
    /// Call once that event is stored.
    void keepNotices();

private:
    void write(const Progress& progress);

    Job job_;
    Store& store_;
    SessionModel& model_;
    std::string action_;
    std::chrono::milliseconds every_;
    std::chrono::steady_clock::time_point begun_;
    std::chrono::steady_clock::time_point last_;
    std::mutex mutex_;
    int written_ = 0; ///< events of its own
    std::vector<std::string> notices_;
};

} // namespace kl::inline engine
