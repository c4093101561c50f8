// SPDX-License-Identifier: MIT
#include "sessions/session/event_words.h"

#include "core/codec/json_read.h"
#include "sessions/session/events.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace kl::inline session {
namespace {

struct EventWords {
    const char* type;
    const char* text;              ///< {field} is the value of a field of the event
    const char* without = nullptr; ///< in place of `text` where one of its fields is empty
};

// clang-format off
constexpr EventWords kEventWords[] = {
    {event::kOpened, "Session opened on {start}"},
    {event::kEnvironmentChecked, "Environment checked"},
    {event::kBuildValidated, "Built; log saved"},
    {event::kStartVerified, "Starting point checked at every suite size"},
    {event::kHypothesis, "Hypothesis: {text}"},
    {event::kInstrumented, "Instrument: {text}"},
    {event::kFailingCaseFound, "Searched for the smallest failing size: {seen}"},
    {event::kAnalyzed, "Analysis: {text}"},
    {event::kMinimalVerified, "Candidate checked at the failing size"},
    {event::kIterationClosed, "Next iteration. Learned: {learned}"},
    {event::kParked, "Set aside {to}"},
    {event::kClaimAdded, "Claim: {figure}"},
    {event::kOptionSet, "Option {name} switched {value}"},
    {event::kResumed, "Resumed"},
    {event::kConditionsChanged, "Earlier evidence is stale: {what}"},
    {event::kStalled, "{text}"},
    {event::kSmallestVerified, "Checked at the smallest size"},
    {event::kBaselineMeasured, "Kernel and baseline measured"},
    {event::kProfiled, "Profiled"},
    {event::kFixChosen, "Fix chosen: {title}"},
    {event::kCandidateVerified, "Candidate checked at every suite size"},
    {event::kEditBegun, "Edit begun: {file}"},
    {event::kMemoryChecked, "Candidate checked for memory errors"},
    {event::kSanitized, "Checked by compute-sanitizer"},
    {event::kUndone, "Undone: {what}"},
    {event::kEvaluated, "Before and after measured"},
    {event::kKept, "Kept {variant}"},
    {event::kReverted, "Reverted to {variant}"},
    {event::kDocumented, "Report written"},
    {event::kFinished, "Session finished: {outcome}"},
    {event::kWaived, "Gate {gate} waived: {reason}"},
    {event::kWritten, "Document: {text}"},
    {event::kNote, "Note: {text}"},
    {event::kPatternApplied, "Pattern applied: {slug}"},
    {event::kProgress, "{text}"},
    {event::kTicked, "Checklist, {item}: {note}", "Checklist, {item}: taken back"},
    {event::kAttempted, "Edit measured: {summary}"},
    {event::kHistoryLooked, "History searched: {found}"},
    {event::kRefusedAttempt, "Refused: {message}"},
};
// clang-format on

/// A field as text: itself, or "on" and "off"; empty where it is missing.
std::string describeField(const Json& data, const std::string& field)
{
    const auto found = data.find(field);
    if (found != data.end() && found->is_boolean())
        return found->get<bool>() ? "on" : "off";
    return textAt(data, field.c_str());
}

/// The text with its fields; nothing where one is empty and `whole` asks for all.
std::optional<std::string> fillIn(std::string_view text, const Json& data, bool whole)
{
    std::string out;
    while (true) {
        const std::size_t open = text.find('{');
        out += text.substr(0, open);
        if (open == std::string_view::npos)
            return out;
        const std::size_t close = text.find('}', open);
        const std::string value = describeField(data, std::string(text.substr(open + 1, close - open - 1)));
        if (whole && value.empty())
            return {};
        out += value;
        text.remove_prefix(close + 1);
    }
}

} // namespace

std::string describeEvent(const SessionEvent& event)
{
    const auto* words = std::ranges::find_if(kEventWords, [&](const EventWords& row) { return event.type == row.type; });
    if (words == std::end(kEventWords))
        return event.type;
    const Result<Json> parsed = parseJson(event.dataJson.empty() ? "{}" : event.dataJson, event.type);
    const Json data = parsed && parsed->is_object() ? *parsed : Json::object();
    std::optional<std::string> text = fillIn(words->text, data, words->without != nullptr);
    return text ? *std::move(text) : *fillIn(words->without, data, false);
}

} // namespace kl::inline session
