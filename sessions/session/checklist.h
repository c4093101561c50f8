// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/next_step.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline session {

struct SessionModel;

enum class TickState { open, done, failed };
const char* toString(TickState state) noexcept; ///< "open", "done", "failed"

/// An item of a session's checklist. It is ticked by evidence of the session: a run, an event, a file. Where there is none, a note of the
/// engineer's ticks it; a note does not overrule evidence that fails.
struct ChecklistItem {
    std::string id;    ///< "clean-build"
    std::string group; ///< "Build validation", "Configuration", "Gates"
    std::string title;
    TickState state = TickState::open;
    std::string found;            ///< what the evidence shows, with figures
    std::string evidence;         ///< "run:ID", "artifact:NAME", "event:SEQ"; empty: none
    std::string note;             ///< the engineer's; empty: none
    bool byNote = false;          ///< done by the note alone
    std::optional<NextStep> next; ///< what would tick it

    bool operator==(const ChecklistItem&) const = default;
};

/// Item of the rule that bounds debugging without a look at the history; see build_alerts.h.
inline constexpr std::string_view kHistoryItem = "git-history";

/// The October 2025 documents' validation checklist (learning loop, "Run BEFORE Benchmarking"): seven steps of the build, the configuration
/// with its calculators filled in for the session's kernel and GPU, then the gates of the session's kind.
std::vector<ChecklistItem> makeChecklist(const SessionModel& model);

/// The ids of the items that a note can tick, in order: all but the gates, which are waived instead.
const std::vector<std::string>& checklistIds();

} // namespace kl::inline session
