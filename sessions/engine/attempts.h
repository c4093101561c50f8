// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/measure/workbench.h"
#include "sessions/session/session_view.h"

#include <optional>
#include <string>
#include <vector>

namespace kl::inline engine {

/// The edit in progress as it was when it was measured.
struct Attempt {
    int seq = 0; ///< of its event; 0: what the edit began with
    RunId run;
    std::string source;  ///< hash of what was measured
    std::string summary; ///< "+3 −2 lines" against what the edit began with
    std::string diff;
    std::string copy; ///< artifact with the files
    ResultStatus status = ResultStatus::ok;
    CorrectnessResult correctness = CorrectnessResult::notChecked;
    std::optional<Summary> time; ///< of the kernel, ns; unset for what failed
    std::string classId;
    std::string finding;

    bool operator==(const Attempt&) const = default;
};

/// What the edit began with, as the session measured it, and what was measured since, oldest first; none without an edit in progress.
Result<std::vector<Attempt>> listAttempts(const Store& store, const SessionView& view);

/// Profiles the edit in progress as it is now and adds it to the session. Not again while its source is that of the newest attempt. A
/// kernel that does not build or whose result is incorrect is an attempt, too. Errors: SessionEngine::edit's; Workbench::profile's.
Status measureAttempt(Workbench& bench, const SessionId& id, const Job& job = {});

/// Writes the files of an attempt back, after keeping those that are there now in an artifact. `seq` 0: what the edit began with. Errors:
/// notFound for another number; badInput without an edit in progress, or where a file cannot be written.
Status returnToAttempt(Workbench& bench, const SessionId& id, int seq);

} // namespace kl::inline engine
