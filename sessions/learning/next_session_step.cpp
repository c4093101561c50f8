// SPDX-License-Identifier: MIT
#include "sessions/learning/next_session_step.h"

#include "core/base/try.h"
#include "sessions/session/session_document.h"

#include <algorithm>

namespace kl::inline learning {
namespace {

std::string composeAnswer(const SessionView& view)
{
    for (const DocumentAnswer& row : composeDocument(view))
        if (row.question->id == "next")
            return row.text;
    return {};
}

int weekFor(const Roadmap& roadmap, const std::vector<HistoryRow>& rows)
{
    for (const RoadmapStep& step : roadmap.steps)
        if (computeState(step, rows) != StepState::done)
            return step.week;
    return roadmap.weeks.empty() ? 1 : roadmap.weeks.back().week;
}

} // namespace

std::optional<RoadmapStep> nextStepIn(const Roadmap& roadmap, const SessionView& view)
{
    const auto found = std::ranges::find(roadmap.steps, composeAnswer(view), &RoadmapStep::title);
    return found == roadmap.steps.end() ? std::nullopt : std::optional(*found);
}

Result<RoadmapStep> planNextSession(Store& store, const SessionView& view)
{
    const std::string title = composeAnswer(view);
    if (title.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = "The session does not say what comes next.",
                     .hint = "Write the answer to \"Next session\" first.",
                     .where = "next"};
    KL_ASSIGN(Roadmap roadmap, loadRoadmap(store));
    if (const std::optional<RoadmapStep> there = nextStepIn(roadmap, view))
        return *there;
    KL_ASSIGN(const History history, loadHistory(store));
    KL_ASSIGN(RoadmapStep step, addStep(roadmap, weekFor(roadmap, history.rows), title));
    KL_TRY(saveRoadmap(store, roadmap));
    return step;
}

} // namespace kl::inline learning
