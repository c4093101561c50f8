// SPDX-License-Identifier: MIT
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/stats/ratio_text.h"
#include "sessions/session/log_cadence.h"
#include "sessions/session/session_document.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::cli {
namespace {

const char* toWord(GateResult result)
{
    return result == GateResult::pass ? "pass" : result == GateResult::fail ? "fail" : "not evaluated";
}

const char* toWord(GateProgress progress)
{
    static constexpr const char* kWords[] = {"not started", "waiting for you", "done", "waived", "stale"};
    return kWords[static_cast<int>(progress)];
}

Tone chooseTone(GateResult result)
{
    return result == GateResult::pass ? Tone::good : result == GateResult::fail ? Tone::bad : Tone::faint;
}

const char* markFor(PhaseState state)
{
    return state == PhaseState::done ? "done" : state == PhaseState::current ? "current" : state == PhaseState::skipped ? "skipped" : "";
}

const std::string& labelFor(const CheckRow& row)
{
    return row.title.empty() ? row.id : row.title;
}

std::string renderClaims(const std::vector<ClaimView>& claims)
{
    Table table({"Claim", "About", "Claimed", "Measured", ""});
    for (const ClaimView& row : claims)
        table.add({row.claim.source, row.claim.about, row.claim.figure, row.measured, row.verdict});
    return claims.empty() ? "" : '\n' + table.text("  ");
}

std::string renderIterations(const std::vector<DebugIteration>& iterations)
{
    std::string text;
    for (const DebugIteration& row : iterations) {
        text += fmt::format("\n  Iteration {}\n", row.number);
        for (const auto& [name, words] :
             {std::pair{"hypothesis", row.believed}, std::pair{"instrument", row.instrument}, std::pair{"observed", row.seen},
              std::pair{"sanitizer", row.sanitizer}, std::pair{"analysis", row.analysis}, std::pair{"fix", row.fix},
              std::pair{"result", row.result}, std::pair{"learned", row.learned}})
            if (!words.empty())
                text += fmt::format("    {:<12}{}\n", name, words);
    }
    return text;
}

std::string renderParked(const SessionView& view)
{
    Table table({"Set aside", "", "Improvement>", "95 % CI"});
    for (const ParkedStep& step : view.parked)
        table.add({toText(step.to), step.title, formatRatio(step.ratio.value), intervalText(step.ratio)});
    if (view.parked.size() > 1)
        table.add({"combined", "", formatRatio(view.parkedRatio->value), intervalText(*view.parkedRatio)});
    return view.parked.empty() ? "" : '\n' + table.text("  ");
}

std::string renderEdit(const SessionView& view)
{
    std::string text;
    if (view.sourceChange)
        text = fmt::format("\n  Edit of {}, {}\n\n{}", view.sourceChange->file, view.sourceChange->summary,
                           renderDiff(view.sourceChange->diff));
    if (!view.commit.empty())
        text += fmt::format("\n  Committed as {}\n", view.commit);
    return text;
}

} // namespace

std::string renderDiff(const std::string& unified)
{
    std::string text;
    for (std::size_t at = 0; at < unified.size();) {
        const std::size_t end = std::min(unified.find('\n', at), unified.size());
        const std::string line = unified.substr(at, end - at);
        const bool head = line.starts_with("---") || line.starts_with("+++") || line.starts_with("@@");
        text += applyTone(line, head                    ? Tone::faint
                                : line.starts_with('+') ? Tone::good
                                : line.starts_with('-') ? Tone::bad
                                                        : Tone::plain) +
                '\n';
        at = end + 1;
    }
    return text;
}

std::string renderGate(const GateView& gate)
{
    std::string text = fmt::format("{} {}: {} ({})\n  {}\n", applyTone(gate.id, Tone::strong), gate.title,
                                   applyTone(toWord(gate.result), chooseTone(gate.result)), toWord(gate.progress),
                                   gate.verdict.empty() ? gate.rule : gate.verdict);
    if (!gate.staleReason.empty())
        text += fmt::format("  stale: {}\n", gate.staleReason);
    if (!gate.waivedReason.empty())
        text += fmt::format("  waived: {}\n", gate.waivedReason);
    Table checks({"Check", "", "Found", "Threshold", "Evidence"});
    for (const CheckRow& row : gate.checks)
        checks.add({labelFor(row), applyTone(toWord(row.result), chooseTone(row.result)), row.found, row.threshold, row.evidence});
    if (!checks.empty())
        text += checks.text("  ");
    for (const CheckRow& row : gate.checks)
        if (const std::string fix = withCommands(row.fix, row.next); row.result == GateResult::fail && !fix.empty())
            text += fmt::format("  {}: {}\n", labelFor(row), fix);
    return text;
}

std::string renderSession(const SessionView& view)
{
    std::string text = fmt::format("{}  {}\n", applyTone(view.header.name, Tone::strong), view.header.objective);
    text += fmt::format("  {} {}, {} of {}{}\n\n", view.header.kind, view.header.kernel, formatMinutes(view.minutes),
                        formatMinutes(view.budgetMinutes), view.header.source == Source::sample ? ", on the recorded sample" : "");
    Table phases({"Stage", "", "Gates", "Spent>", "Budget>"});
    for (const PhaseView& phase : view.phases)
        phases.add({phase.title, markFor(phase.state), fmt::format("{}", fmt::join(phase.gates, " ")),
                    phase.state == PhaseState::upcoming ? "" : formatMinutes(phase.elapsedMinutes), formatMinutes(phase.budgetMinutes)});
    text += phases.text("  ");
    for (const GateView& gate : view.gates)
        if (gate.id == view.gate)
            text += '\n' + renderGate(gate);
    text += renderClaims(view.claims) + renderIterations(view.iterations) + renderParked(view) + renderEdit(view);
    if (const std::string parts = fixPartsText(view); !parts.empty())
        text += fmt::format("\n  Time spent on the fix: {}\n", parts);
    if (view.blocked)
        text += fmt::format("\n{}{}: {}\n", applyTone("Blocked", Tone::bad), view.rule ? " by " + *view.rule : std::string(), view.why);
    else if (!view.why.empty())
        text += '\n' + view.why + '\n';
    if (!view.outcome.empty())
        text += fmt::format("\n{}{}{}\n", applyTone("Outcome: " + view.outcome, Tone::strong),
                            computeGain(view) ? ", " + formatRatio(*computeGain(view)) + " faster than before" : "",
                            view.speedup ? ", " + formatRatio(*view.speedup) + " the baseline's speed" : "");
    if (!view.next.empty())
        text += "\nNext:\n";
    for (const NextAction& next : view.next)
        text += fmt::format("  {}{}\n    {}\n", next.title, next.enabled ? "" : " (unavailable: " + next.reason + ")",
                            formatCommand(next.step));
    if (!view.afterwards.empty())
        text += "\nAfterwards:\n";
    for (const NextStep& step : view.afterwards)
        text += fmt::format("  {}\n    {}\n", titleFor(step), formatCommand(step));
    if (const std::optional<double> minutes = logDueSince(view, std::chrono::system_clock::now()))
        text += fmt::format(
            "\nThe log's last entry is {} old. What are you doing?\n  {}\n", formatMinutes(*minutes),
            formatCommand(
                {StepId::noteInSession, {{StepArgument::session, view.header.id.text}}, {{StepArgument::text, "What are you doing?"}}}));
    return text;
}

} // namespace kl::cli
