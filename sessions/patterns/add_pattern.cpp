// SPDX-License-Identifier: MIT
#include "sessions/patterns/add_pattern.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/stats/ratio_text.h"
#include "sessions/patterns/pattern_library.h"
#include "sessions/patterns/slug.h"
#include "sessions/store/amounts.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline patterns {
namespace {

bool blank(const std::string& text)
{
    return text.find_first_not_of(" \t\n") == std::string::npos;
}

std::string outcomeText(const SessionView& view)
{
    if (!view.evaluation || !view.evaluation->ratio)
        return {};
    return fmt::format(" It measured {} and was {}.", ratioText(*view.evaluation->ratio),
                       view.outcome.empty() ? "not decided yet" : view.outcome);
}

Status checkPattern(const Pattern& pattern)
{
    for (const auto& [text, name] :
         {std::pair{&pattern.title, "title"}, std::pair{&pattern.problem, "problem"}, std::pair{&pattern.advice, "advice"}})
        if (blank(*text))
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("The pattern has no {}.", name),
                         .hint = "Describe it in one sentence.",
                         .where = name};
    const std::vector<std::string>& known = occasions();
    if (!pattern.when.empty() && std::find(known.begin(), known.end(), pattern.when) == known.end())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("\"{}\" is not an occasion for suggesting patterns.", pattern.when),
                     .hint = fmt::format("Occasions: {}.", fmt::join(known, ", ")),
                     .where = pattern.when};
    return checkAmounts(pattern.quotedMinutes, pattern.quotedDollars, pattern.slug);
}

} // namespace

Pattern draftPattern(const SessionView& view)
{
    Pattern draft;
    draft.kind = "own";
    draft.origin = fmt::format("session {} on {}", view.header.name, view.header.kernel);
    draft.learnedIn = view.header.id.text;
    const bool found = view.profileRun && view.profileRun->diagnosis;
    if (found) {
        const Finding& finding = view.profileRun->diagnosis->finding;
        draft.problem = finding.title;
        draft.when = occasion::kFinding;
    } else {
        draft.problem = view.header.objective;
        draft.when = occasion::kSessionStart;
    }
    if (!view.fixTitle.empty()) {
        draft.title = view.fixTitle;
        draft.advice = (view.outcome == "reverted" ? "Low yield: " : "") + view.fixTitle + '.' + outcomeText(view);
    } else {
        draft.title = fmt::format("Lesson of session {}", view.header.name);
        draft.advice = view.retrospective;
    }
    draft.slug = makeSlug(draft.title);
    return draft;
}

Result<Pattern> addPattern(Store& store, Pattern pattern, bool replace)
{
    KL_TRY(checkPattern(pattern));
    pattern.kind = "own";
    if (pattern.slug.empty())
        pattern.slug = makeSlug(pattern.title);
    KL_ASSIGN(const std::vector<Pattern> present, store.patterns());
    const auto there = std::find_if(present.begin(), present.end(), [&](const Pattern& p) { return p.slug == pattern.slug; });
    if (there != present.end() && there->kind != "own")
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("\"{}\" is a shipped pattern.", pattern.slug),
                     .hint = "Choose another slug.",
                     .where = pattern.slug};
    if (there != present.end() && !replace)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("A pattern \"{}\" already exists.", pattern.slug),
                     .hint = "Choose another slug, or replace that pattern.",
                     .where = pattern.slug};
    KL_TRY(store.savePattern(pattern));
    return pattern;
}

} // namespace kl::inline patterns
