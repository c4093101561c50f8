// SPDX-License-Identifier: MIT
#include "sessions/session/session_document.h"

#include "core/base/format.h"
#include "core/codec/json_read.h"
#include "core/stats/ratio_text.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline session {
namespace {

void addSentence(std::string& text, const std::string& sentence)
{
    text += (text.empty() ? "" : " ") + sentence;
}

std::string rootCause(const SessionView& view)
{
    for (auto row = view.iterations.rbegin(); row != view.iterations.rend(); ++row)
        if (!row->analysis.empty())
            return row->analysis;
    return view.profileRun && view.profileRun->diagnosis ? view.profileRun->diagnosis->finding.title : std::string();
}

std::string describeWorked(const SessionView& view)
{
    std::string text;
    if (view.kept && view.candidate) {
        addSentence(text, fmt::format("{} ({}).", view.fixTitle.empty() ? "The change" : view.fixTitle, toText(*view.candidate)));
        if (view.evaluation && view.evaluation->ratio)
            addSentence(text, fmt::format("Improvement {}.", ratioText(*view.evaluation->ratio)));
    }
    for (const std::string& slug : view.patternsApplied)
        addSentence(text, fmt::format("Pattern {} was applied.", slug));
    return text;
}

std::string describeFailed(const SessionView& view)
{
    std::string text;
    for (const Address& tried : view.tried)
        addSentence(text, fmt::format("{} was tried and reverted.", toText(tried)));
    for (const GateView& gate : view.gates)
        if (gate.result == GateResult::fail)
            addSentence(text, fmt::format("{} {} failed: {}", gate.id, gate.title, gate.verdict));
    for (const DebugIteration& row : view.iterations)
        if (!row.learned.empty() && &row != &view.iterations.back())
            addSentence(text, fmt::format("Hypothesis {}: {} {}", row.number, row.believed, row.learned));
    return text;
}

std::string whatAnExpertDoes(const SessionView& view)
{
    std::string text;
    if (view.refusals > 0)
        addSentence(text, fmt::format("Not have tried {} that a rule refused.", view.refusals == 1 ? "the action" : "the actions"));
    for (const auto& [gate, waiver] : view.waivers)
        addSentence(text, fmt::format("Not have waived {} ({}).", gate, waiver.reason));
    for (const PhaseView& phase : view.phases)
        if (phase.elapsedMinutes > phase.budgetMinutes)
            addSentence(text, fmt::format("Have stopped {} after {}; it took {}.", phase.title, formatMinutes(phase.budgetMinutes),
                                          formatMinutes(phase.elapsedMinutes)));
    return text;
}

std::string whatIsNext(const SessionView& view)
{
    if (!view.profileRun || !view.profileRun->diagnosis)
        return view.finished ? std::string() : view.why;
    const Diagnosis& diagnosis = *view.profileRun->diagnosis;
    if (view.kept)
        return diagnosis.secondary.empty()
                   ? "Profile the kept variant: its limit is another one now."
                   : fmt::format("Profile the kept variant, then look at its next finding: {}", diagnosis.secondary.front().title);
    for (const Fix& fix : diagnosis.finding.fixes)
        if (fix.id != view.fix)
            return fmt::format("Try the next fix: {}.", fix.title);
    return {};
}

std::optional<double> minutesBetween(const std::string& from, const std::string& to)
{
    const std::optional<TimePoint> begin = parseIsoTime(from);
    const std::optional<TimePoint> end = parseIsoTime(to);
    return begin && end ? std::optional(std::chrono::duration<double, std::ratio<60>>(*end - *begin).count()) : std::nullopt;
}

/// The build of the candidate that its first check recorded.
std::optional<double> buildMinutes(const SessionEvent& verified)
{
    const Result<Json> data = parseJson(verified.dataJson.empty() ? "{}" : verified.dataJson, verified.type);
    const std::optional<double> seconds = data ? numberAt(*data, "build_seconds") : std::nullopt;
    return seconds ? std::optional(*seconds / 60) : std::nullopt;
}

} // namespace

const DocumentQuestion* documentQuestion(std::string_view id)
{
    const auto* found = std::ranges::find(kDocumentQuestions, id, &DocumentQuestion::id);
    return found == std::end(kDocumentQuestions) ? nullptr : found;
}

std::string draftAnswer(const SessionView& view, std::string_view question)
{
    if (question == "root-cause")
        return rootCause(view);
    if (question == "worked")
        return describeWorked(view);
    if (question == "failed")
        return describeFailed(view);
    return question == "expert" ? whatAnExpertDoes(view) : whatIsNext(view);
}

std::vector<DocumentAnswer> composeDocument(const SessionView& view)
{
    std::vector<DocumentAnswer> answers;
    for (const DocumentQuestion& question : kDocumentQuestions) {
        const auto written = view.written.find(std::string(question.id));
        const bool own = written != view.written.end();
        answers.push_back({&question, own ? written->second : draftAnswer(view, question.id), !own});
    }
    return answers;
}

std::vector<FixPart> fixParts(const SessionView& view)
{
    const auto chosen = std::ranges::find_if(view.events.rbegin(), view.events.rend(), [](const SessionEvent& item) {
        return item.type == event::kFixChosen || item.type == event::kEditBegun;
    });
    if (chosen == view.events.rend())
        return {};
    // An edit is begun, then taken: the work starts at the beginning.
    auto begin = chosen;
    if (const auto before = std::next(chosen); before != view.events.rend() && before->type == event::kEditBegun)
        begin = before;
    const auto after = [&](std::initializer_list<std::string_view> types) -> const SessionEvent* {
        for (const SessionEvent& item : view.events)
            if (item.seq > chosen->seq && std::ranges::find(types, item.type) != types.end())
                return &item;
        return nullptr;
    };
    const SessionEvent* verified = after({event::kMinimalVerified, event::kCandidateVerified});
    const SessionEvent* evaluated = after({event::kEvaluated});
    const SessionEvent* decided = after({event::kKept, event::kReverted, event::kParked});
    std::vector<FixPart> parts{{"edit", "Edit the code", 45, {}},
                               {"rebuild", "Rebuild", 5, {}},
                               {"test", "Test correctness", 15, {}},
                               {"measure", "Measure performance", 20, {}},
                               {"verify", "Verify the improvement", 5, {}}};
    if (verified == nullptr)
        return parts;
    const double total = minutesBetween(begin->at, verified->at).value_or(0);
    const std::optional<double> built = buildMinutes(*verified);
    const std::optional<RunRecord>& run = verified->type == event::kMinimalVerified ? view.minimalRun : view.candidateRun;
    const double worked = run && run->workerSeconds && view.header.source == Source::live ? std::min(total, *run->workerSeconds / 60) : 0;
    parts[0].minutes = std::max(0.0, total - worked - built.value_or(0));
    parts[1].minutes = built;
    parts[2].minutes = worked;
    if (evaluated != nullptr)
        parts[3].minutes = minutesBetween(verified->at, evaluated->at);
    if (evaluated != nullptr && decided != nullptr)
        parts[4].minutes = minutesBetween(evaluated->at, decided->at);
    return parts;
}

std::string fixPartsText(const SessionView& view)
{
    std::string text;
    for (const FixPart& part : fixParts(view))
        if (part.minutes)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part.id, formatMinutes(*part.minutes));
    return text;
}

} // namespace kl::inline session
