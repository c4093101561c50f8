// SPDX-License-Identifier: MIT
#include "sessions/session/event_words.h"

#include "core/codec/json_read.h"
#include "sessions/session/events.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kl::inline session {
namespace {

struct EventWords {
    const char* type;
    const char* text;  ///< {} is the value of `field`
    const char* field; ///< nullptr: none
};

// clang-format off
constexpr EventWords kEventWords[] = {
    {event::kOpened, "Session opened on {}", "start"},
    {event::kEnvironmentChecked, "Environment checked", nullptr},
    {event::kBuildValidated, "Built; log saved", nullptr},
    {event::kStartVerified, "Starting point checked at every suite size", nullptr},
    {event::kHypothesis, "Hypothesis: {}", "text"},
    {event::kInstrumented, "Instrument: {}", "text"},
    {event::kFailingCaseFound, "Searched for the smallest failing size: {}", "seen"},
    {event::kAnalyzed, "Analysis: {}", "text"},
    {event::kMinimalVerified, "Candidate checked at the failing size", nullptr},
    {event::kIterationClosed, "Next iteration. Learned: {}", "learned"},
    {event::kParked, "Parked {}", "to"},
    {event::kClaimAdded, "Claim: {}", "figure"},
    {event::kOptionSet, "Option {} changed", "name"},
    {event::kResumed, "Resumed", nullptr},
    {event::kConditionsChanged, "Earlier evidence is stale: {}", "what"},
    {event::kStalled, "{}", "text"},
    {event::kSmallestVerified, "Checked at the smallest size", nullptr},
    {event::kBaselineMeasured, "Kernel and baseline measured", nullptr},
    {event::kProfiled, "Profiled", nullptr},
    {event::kFixChosen, "Fix chosen: {}", "title"},
    {event::kCandidateVerified, "Candidate checked at every suite size", nullptr},
    {event::kEditBegun, "Edit begun: {}", "file"},
    {event::kMemoryChecked, "Candidate checked for memory errors", nullptr},
    {event::kSanitized, "Checked by compute-sanitizer", nullptr},
    {event::kUndone, "Undone: {}", "what"},
    {event::kEvaluated, "Before and after measured", nullptr},
    {event::kKept, "Kept {}", "variant"},
    {event::kReverted, "Reverted to {}", "variant"},
    {event::kDocumented, "Report written", nullptr},
    {event::kFinished, "Session finished: {}", "outcome"},
    {event::kWaived, "Gate waived: {}", "reason"},
    {event::kWritten, "Document: {}", "text"},
    {event::kNote, "Note: {}", "text"},
    {event::kPatternApplied, "Pattern applied: {}", "slug"},
    {event::kProgress, "{}", "text"},
    {event::kTicked, "Checklist: {}", "note"},
    {event::kAttempted, "Edit measured: {}", "summary"},
    {event::kHistoryLooked, "History searched: {}", "found"},
    {event::kRefusedAttempt, "Refused by rule {}", "rule"},
};
// clang-format on

} // namespace

std::string describeEvent(const SessionEvent& event)
{
    const auto* words = std::ranges::find_if(kEventWords, [&](const EventWords& row) { return event.type == row.type; });
    if (words == std::end(kEventWords))
        return event.type;
    std::string text = words->text;
    if (words->field == nullptr)
        return text;
    const Result<Json> data = parseJson(event.dataJson.empty() ? "{}" : event.dataJson, event.type);
    text.replace(text.find("{}"), 2, data ? textAt(*data, words->field) : std::string());
    return text;
}

} // namespace kl::inline session
