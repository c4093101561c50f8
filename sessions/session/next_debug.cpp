// SPDX-License-Identifier: MIT
#include "sessions/session/checks.h"
#include "sessions/session/next_steps.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline session {
namespace {

/// What the sizes of a suite reveal about a failure, as text for the analysis.
std::string describe(const RunRecord& run)
{
    std::vector<std::string> wrong;
    std::int64_t unwritten = 0;
    std::int64_t nonfinite = 0;
    double worst = 0;
    for (const SuiteRow& row : run.correctness.suite) {
        if (row.pass)
            continue;
        wrong.push_back(row.problem);
        unwritten += row.unwritten;
        nonfinite += row.nonfinite;
        worst = std::max(worst, row.maxAbs);
    }
    if (wrong.empty())
        return run.correctness.reason.empty() ? run.reason : run.correctness.reason;
    std::string text = fmt::format("Incorrect at {} of {} sizes ({})", wrong.size(), run.correctness.suite.size(), fmt::join(wrong, "; "));
    text += fmt::format(": max abs error {:.3g}, {} elements unwritten, {} non-finite.", worst, unwritten, nonfinite);
    if (wrong.size() == run.correctness.suite.size())
        text += " No size is correct, so edge handling is not the cause.";
    else if (unwritten > 0)
        text += " Elements that are never written suggest an error in the launch geometry or a bounds check.";
    else
        text += " Some sizes are correct, so it depends on the size: check edges and remainders.";
    return text;
}

/// The observation, from the failing sizes and from compute-sanitizer.
std::string composeAnalysis(const SessionView& view)
{
    if (!view.failingRun)
        return {};
    const std::string& sanitizer = view.iterations.back().sanitizer;
    return describe(*view.failingRun) + (sanitizer.empty() ? "" : ' ' + sanitizer);
}

const char* chooseQuestion(Evidence kind)
{
    switch (kind) {
    case Evidence::hypothesis: return "What do you believe is wrong?";
    case Evidence::instrument: return "How will you check it: which print, assertion or tool, and where?";
    default: return "What did you observe, and what does it mean for the hypothesis?";
    }
}

} // namespace

std::string proposeWords(const SessionModel& model, SessionAction action)
{
    const SessionView& view = model.view;
    if (action == SessionAction::hypothesis) {
        const auto learned =
            std::find_if(view.iterations.rbegin(), view.iterations.rend(), [](const DebugIteration& row) { return !row.learned.empty(); });
        return learned == view.iterations.rend() ? fmt::format("{} gives incorrect results: {}", toText(view.start), view.header.objective)
                                                 : fmt::format("The cause is something else: {}", learned->learned);
    }
    if (action == SessionAction::instrument)
        return "Every element against the reference at every size in the suite, with NaN, Inf and unwritten elements counted.";
    if (action == SessionAction::analyze)
        return composeAnalysis(view);
    if (action == SessionAction::repeat) {
        const std::string tried = view.candidate ? toText(*view.candidate) : std::string("the change");
        const std::string result = view.iterations.empty() ? std::string() : view.iterations.back().result;
        return fmt::format("{} does not fix it: {}.", tried, result.empty() ? "it was not tested" : result);
    }
    return {};
}

void suggestDebugging(SessionModel& model, Suggestions& next, Evidence kind)
{
    SessionView& view = model.view;
    const EvidenceKind& row = lookUpRow(kind);
    const int number = model.view.iterationOpen ? view.iterations.back().number : static_cast<int>(view.iterations.size()) + 1;
    if (kind == Evidence::failingCase) {
        const auto stale = view.stale.find(kind);
        view.why = stale == view.stale.end() ? fmt::format("The smallest size at which {} fails is not known yet.", toText(view.start))
                                             : fmt::format("Stale: {}", stale->second);
        next.add(row.action, fmt::format("Find the smallest size at which {} fails", toText(view.start)));
    } else {
        const bool sanitizable = kind == Evidence::analysis && hasSanitizer(view, model.family);
        const std::string proposed = proposeWords(model, row.action);
        view.why = fmt::format("Iteration {}: {} Proposed: {}", number, chooseQuestion(kind), proposed);
        const bool wasSanitized = !view.iterations.empty() && !view.iterations.back().sanitizer.empty();
        const std::string where = view.failingProblem ? toText(*view.failingProblem) : std::string();
        if (sanitizable && !wasSanitized)
            next.add(SessionAction::sanitize, fmt::format("Run {} at {} under compute-sanitizer", toText(view.start), where));
        next.add(row.action, "Write down what is proposed", proposed);
        if (sanitizable && wasSanitized)
            next.add(SessionAction::sanitize, "Run compute-sanitizer again");
        next.addText(row.action, "Describe it in your own words", chooseQuestion(kind));
    }
    next.add(SessionAction::document, "Document and end the session without a fix");
}

void suggestIterationEnd(SessionModel& model, Suggestions& next)
{
    SessionView& view = model.view;
    const bool right = model.settled(Evidence::minimalCase) && model.settled(Evidence::candidate) && model.settled(Evidence::memory);
    if (right) {
        view.why = fmt::format("{} is correct at every size.", toText(*view.candidate));
        suggestKeep(model, next, fmt::format("Keep {}", toText(*view.candidate)));
    }
    const std::string proposed = proposeWords(model, SessionAction::repeat);
    next.add(SessionAction::repeat, "Give up the fix and start another iteration", proposed);
    next.addText(SessionAction::repeat, "Start another iteration and write down what was learned", "What did you learn in this iteration?");
    if (right)
        return;
    next.add(model.view.has(Evidence::candidate) ? SessionAction::verifySuite : SessionAction::verifyMinimal, "Run it again");
    next.add(SessionAction::revert, "Give up the fix and end the session");
    if (const GateView* gate = model.gate(model.view.has(Evidence::candidate) ? Evidence::candidate : Evidence::minimalCase))
        next.addWaiver(*gate);
}

} // namespace kl::inline session
