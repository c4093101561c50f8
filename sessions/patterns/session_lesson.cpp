// SPDX-License-Identifier: MIT
#include "sessions/patterns/session_lesson.h"

#include "core/base/try.h"
#include "sessions/patterns/add_pattern.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline patterns {
namespace {

/// What the engineer wrote; empty where only the draft is there.
std::string findWrittenAnswer(const SessionView& view, const char* question)
{
    const auto answer = view.written.find(question);
    return answer == view.written.end() ? std::string() : answer->second;
}

} // namespace

Pattern draftLesson(const SessionView& view)
{
    Pattern lesson = draftPattern(view);
    if (const std::string cause = findWrittenAnswer(view, "root-cause"); !cause.empty())
        lesson.problem = cause;
    std::string advice = findWrittenAnswer(view, "worked");
    if (const std::string expert = findWrittenAnswer(view, "expert"); !expert.empty())
        advice += (advice.empty() ? "" : " ") + expert;
    if (!advice.empty())
        lesson.advice = advice;
    if (lesson.advice.empty()) // neither a fix nor a report yet
        lesson.advice = view.why;
    return lesson;
}

std::optional<Pattern> lessonIn(const std::vector<Pattern>& patterns, const SessionId& session)
{
    const auto found = std::ranges::find(patterns, session.text, &Pattern::learnedIn);
    return found == patterns.end() ? std::nullopt : std::optional(*found);
}

Result<Pattern> saveLesson(Store& store, const SessionView& view)
{
    KL_ASSIGN(const std::vector<Pattern> present, store.patterns());
    Pattern lesson = draftLesson(view);
    if (const std::optional<Pattern> before = lessonIn(present, view.header.id)) {
        lesson.slug = before->slug;
        lesson.title = before->title;
        return addPattern(store, std::move(lesson), true);
    }
    const std::string stem = lesson.slug;
    for (int n = 2; std::ranges::find(present, lesson.slug, &Pattern::slug) != present.end(); ++n)
        lesson.slug = fmt::format("{}-{}", stem, n);
    return addPattern(store, std::move(lesson));
}

} // namespace kl::inline patterns
