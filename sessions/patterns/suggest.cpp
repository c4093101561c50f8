// SPDX-License-Identifier: MIT
#include "sessions/patterns/suggest.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/diagnosis/classes.h"
#include "sessions/session/session_template.h"
#include "sessions/session/suggestions.h"
#include "sessions/session/template_library.h"
#include "sessions/store/store.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline patterns {
namespace {

class PatternPicks {
public:
    PatternPicks(const PatternLibrary& library, const std::vector<Pattern>& patterns, const SessionView& view)
        : library_(library), patterns_(patterns), view_(view)
    {
    }

    void occasion(const std::string& when, const std::string& why, const std::string& classId = {})
    {
        for (const std::string& slug : patternsFor(library_, when, classId))
            add(slug, why);
        for (const Pattern& pattern : patterns_)
            if (pattern.kind == "own" && pattern.when == when)
                add(pattern.slug, why);
    }
    void add(const std::string& slug, const std::string& why)
    {
        const auto known = [&](const auto& list, const auto& of) {
            return std::any_of(list.begin(), list.end(), [&](const auto& item) { return of(item) == slug; });
        };
        if (known(found_, [](const Suggestion& s) { return s.slug; }) || !known(patterns_, [](const Pattern& p) { return p.slug; }))
            return;
        const auto& applied = view_.patternsApplied;
        const bool has = std::find(applied.begin(), applied.end(), slug) != applied.end();
        found_.push_back({slug, why, has, stepsOn(slug, has)});
    }
    std::vector<Suggestion> take() { return std::move(found_); }

private:
    std::vector<NextStep> stepsOn(const std::string& slug, bool applied) const
    {
        std::vector<NextStep> steps;
        if (!applied && !view_.header.id.empty() && !isOver(view_))
            steps.push_back({StepId::applyPattern, {{StepArgument::pattern, slug}}, {}});
        steps.push_back({StepId::showPattern, {{StepArgument::pattern, slug}}, {}});
        nameSession(steps, view_.header, Store::defaultLocation()); // whose database the caller knows
        return steps;
    }

    const PatternLibrary& library_;
    const std::vector<Pattern>& patterns_;
    const SessionView& view_;
    std::vector<Suggestion> found_;
};

} // namespace

std::vector<Suggestion> suggestionsOn(const PatternLibrary& library, const std::vector<Pattern>& patterns, const std::string& when,
                                      const std::string& classId)
{
    const SessionView none;
    PatternPicks suggestions(library, patterns, none);
    suggestions.occasion(when, classId.empty() ? when : fmt::format("the finding is {}", classTitle(classId)), classId);
    return suggestions.take();
}

Result<std::vector<Suggestion>> suggestionsInPhase(const PatternLibrary& library, const std::vector<Pattern>& patterns,
                                                   const std::string& kind, const std::string& phase)
{
    KL_ASSIGN(const std::string text, templateText(kind));
    KL_ASSIGN(const SessionTemplate plan, parseTemplate(text, kind));
    std::string phases;
    for (const SessionTemplate::Phase& item : plan.phases) {
        phases += (phases.empty() ? "" : ", ") + item.id;
        if (item.id != phase)
            continue;
        const SessionView none;
        PatternPicks suggestions(library, patterns, none);
        for (const std::string& slug : item.patterns)
            suggestions.add(slug, fmt::format("the stage \"{}\"", item.title));
        return suggestions.take();
    }
    return Error{.code = ErrorCode::notFound,
                 .message = fmt::format("The kind {} has no stage \"{}\".", kind, phase),
                 .hint = fmt::format("Stages: {}.", phases),
                 .where = phase};
}

std::vector<Suggestion> suggestionsFor(const PatternLibrary& library, const std::vector<Pattern>& patterns, const SessionView& view)
{
    PatternPicks suggestions(library, patterns, view);
    const bool wrong = view.candidateRun && view.candidateRun->status == ResultStatus::validationFailed;
    const bool noBuild = (view.candidateRun && view.candidateRun->status == ResultStatus::compilationFailed) ||
                         (view.smallestRun && view.smallestRun->status == ResultStatus::compilationFailed);
    if (wrong)
        suggestions.occasion(occasion::kWrongResult, "the candidate is not correct");
    if (noBuild)
        suggestions.occasion(occasion::kBuildFailure, "a build failed");
    if (!view.environment)
        suggestions.occasion(occasion::kSessionStart, "a session starts");
    if (view.profileRun && view.profileRun->diagnosis) {
        const std::string& classId = view.profileRun->diagnosis->finding.classId;
        suggestions.occasion(occasion::kFinding, fmt::format("the finding is {}", classTitle(classId)), classId);
    } else if (view.baselineRun && view.baselineRun->speedup && *view.baselineRun->speedup < 1) {
        suggestions.occasion(occasion::kSpeedupBelow1, fmt::format("the speedup is {}", formatRatio(*view.baselineRun->speedup)));
    }
    for (const PhaseView& phase : view.phases)
        if (phase.id == view.phase)
            for (const std::string& slug : phase.patterns)
                suggestions.add(slug, fmt::format("the stage \"{}\"", phase.title));
    if (view.candidate && view.outcome.empty())
        suggestions.occasion(occasion::kReMeasure, "a change is measured again");
    if (view.outcome == "kept")
        suggestions.occasion(occasion::kKeep, "a change was kept");
    return suggestions.take();
}

} // namespace kl::inline patterns
