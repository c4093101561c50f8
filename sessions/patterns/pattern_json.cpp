// SPDX-License-Identifier: MIT
#include "sessions/patterns/pattern_json.h"

#include "core/codec/or_null.h"
#include "core/codec/step_codec.h"

#include <nlohmann/json.hpp>

namespace kl::inline patterns {
namespace {

} // namespace

Json patternToJson(const Pattern& p, const PatternReturn& gained)
{
    return Json{{"slug", p.slug},
                {"label", p.label},
                {"title", p.title},
                {"kind", p.kind},
                {"when", p.when},
                {"problem", p.problem},
                {"advice", p.advice},
                {"quoted_minutes", orNull(p.quotedMinutes)},
                {"quoted_minutes_high", orNull(p.quotedMinutesHigh)},
                {"quoted_dollars", orNull(p.quotedDollars)},
                {"origin", p.origin},
                {"learned_in", gained.learnedIn.empty() ? p.learnedIn : gained.learnedIn},
                {"applications", gained.applications},
                {"saved",
                 {{"measured_minutes", orNull(gained.measuredMinutes)},
                  {"quoted_minutes", orNull(gained.quotedMinutes)},
                  {"derived_minutes", orNull(gained.derivedMinutes)},
                  {"quoted_dollars", orNull(gained.quotedDollars)}}}};
}

Json applicationToJson(const PatternApplication& a)
{
    return Json{{"pattern", a.pattern},
                {"session", a.session},
                {"at", a.at},
                {"measured_minutes", orNull(a.measuredMinutes)},
                {"quoted_minutes", orNull(a.quotedMinutes)},
                {"quoted_dollars", orNull(a.quotedDollars)},
                {"derived", a.derived},
                {"note", a.note}};
}

Json returnToJson(const PatternReturn& r)
{
    return Json{
        {"slug", r.slug},
        {"title", r.title},
        {"applications", r.applications},
        {"learned_in", r.learnedIn},
        {"invested_minutes", {{"low", orNull(r.investedLow)}, {"high", orNull(r.investedHigh)}}},
        {"measured", {{"minutes", orNull(r.measuredMinutes)}, {"value", orNull(r.measuredValue)}, {"return", orNull(r.measuredReturn)}}},
        {"quoted",
         {{"minutes", orNull(r.quotedMinutes)},
          {"dollars", orNull(r.quotedDollars)},
          {"value", orNull(r.quotedValue)},
          {"return", orNull(r.quotedReturn)}}},
        {"derived_minutes", orNull(r.derivedMinutes)}};
}

Json suggestionToJson(const Suggestion& suggestion, const std::vector<Pattern>& patterns)
{
    Json row{{"slug", suggestion.slug},
             {"title", ""},
             {"why", suggestion.why},
             {"applied", suggestion.applied},
             {"next", stepsToJson(suggestion.next)}};
    for (const Pattern& pattern : patterns)
        if (pattern.slug == suggestion.slug)
            row["title"] = pattern.title;
    return row;
}

} // namespace kl::inline patterns
