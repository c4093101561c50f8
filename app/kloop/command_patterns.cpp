// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/table.h"
#include "core/base/format.h"
#include "sessions/patterns/library.h"
#include "sessions/patterns/totals.h"

#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr double kEngineerRate = 30; ///< dollars an hour, as in the source notes

template <class T> Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

double engineerRate(const Store& store)
{
    const std::optional<std::string> text = store.setting("engineer-rate");
    const double rate = text ? std::strtod(text->c_str(), nullptr) : 0;
    return rate > 0 ? rate : kEngineerRate;
}

Json patternJson(const Pattern& p, const PatternReturn& r)
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
                {"applications", r.applications},
                {"saved",
                 {{"measured_minutes", orNull(r.measuredMinutes)},
                  {"quoted_minutes", orNull(r.quotedMinutes)},
                  {"derived_minutes", orNull(r.derivedMinutes)},
                  {"quoted_dollars", orNull(r.quotedDollars)}}}};
}

} // namespace

Result<int> commandPatterns(Program& program, const Options&)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    // Seeding changes nothing where they are there already; a read-only database shows what it holds.
    const Result<PatternLibrary> library = PatternLibrary::embedded();
    if (!library)
        return library.error();
    if (!(*store)->readOnly())
        if (const Status seeded = seedPatterns(**store, *library); !seeded)
            return seeded.error();
    const auto stored = (*store)->patterns();
    const auto applications = (*store)->applications();
    if (!stored || !applications)
        return stored ? applications.error() : stored.error();
    const std::vector<Pattern>& patterns = stored->empty() ? library->patterns : *stored;
    const std::vector<PatternReturn> returns = patternReturns(patterns, *applications, engineerRate(**store));
    Json answer{{"schema", "kernelloop.patterns/1"}, {"patterns", Json::array()}};
    Table table({"pattern", "kind", "when", "used>", "measured>", "quoted>", ""});
    for (std::size_t i = 0; i < patterns.size() && i < returns.size(); ++i) {
        const Pattern& p = patterns[i];
        answer["patterns"].push_back(patternJson(p, returns[i]));
        table.add({p.slug, p.kind, p.when, fmt::format("{}", returns[i].applications),
                   returns[i].measuredMinutes ? formatMinutes(*returns[i].measuredMinutes) : "",
                   p.quotedMinutes ? formatMinutes(*p.quotedMinutes) : "", p.title});
    }
    if (!program.printed(answer))
        fmt::print("{}", table.text());
    return 0;
}

} // namespace kl
