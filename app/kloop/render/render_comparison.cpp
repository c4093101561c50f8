// SPDX-License-Identifier: MIT
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/codec/model_fields.h"
#include "core/device/run_figures.h"
#include "core/stats/correctness_text.h"
#include "core/stats/ratio_text.h"

#include <cstdlib>
#include <fmt/format.h>

namespace kl::cli {
namespace {

/// A figure of a run in its unit; a hardware metric stays as it was read.
std::string figure(const std::string& name, const std::string& text)
{
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0')
        return text;
    return findMetric(name) == nullptr && findFigure(name) != nullptr ? formatFigure(name, value) : text;
}

std::string differences(const char* title, const std::vector<Difference>& rows)
{
    if (rows.empty())
        return {};
    Table table({title, "A>", "B>", "Change>"});
    for (const Difference& row : rows)
        table.add({row.name, figure(row.name, row.a), figure(row.name, row.b), row.change ? formatDifference(*row.change) : ""});
    return '\n' + table.text("  ");
}

} // namespace

std::string renderComparison(const Comparison& c)
{
    const Tone tone = c.verdict == Verdict::faster ? Tone::good : c.verdict == Verdict::slower ? Tone::bad : Tone::strong;
    std::string text = fmt::format("A {}\nB {}\n{}\n", c.a, c.b, applyTone(c.sentence.empty() ? toWord(c.verdict) : c.sentence, tone));
    Table facts({"", ""});
    const std::string_view why = verdictReasonText(c.reason);
    facts.add({"Verdict", why.empty() ? toWord(c.verdict) : fmt::format("{} ({})", toWord(c.verdict), why)});
    if (c.refuted && c.refuted->witness)
        if (const std::string place = witnessPlace(*c.refuted->witness); !place.empty())
            facts.add({"First failure", fmt::format("{}, {}", c.refuted->side == "a" ? "A" : "B", place)});
    if (c.ratio)
        facts.add({"Speedup of B over A", ratioText(*c.ratio)});
    if (c.wall)
        facts.add({"Wall time of a step, A / B",
                   fmt::format("{} ({} and {})", ratioText(c.wall->ratio), formatTime(c.wall->aNs), formatTime(c.wall->bNs))});
    if (c.energy)
        facts.add({"Energy A / energy B", energyRatioText(*c.energy)});
    if (c.blocks > 0)
        facts.add({"Blocks", fmt::format("{}", c.blocks)});
    if (!c.statistics.empty())
        facts.add({"Statistics", c.statistics});
    if (!c.noise.from.empty())
        facts.add({"A/A noise", c.noise.value ? fmt::format("{:.2f} % ({})", 100 * *c.noise.value, c.noise.from) : c.noise.from});
    for (const Warning& warning : c.warnings)
        facts.add({"Note", withCommands(warning.text, warning.next)});
    if (const std::string next = withCommands(c.next, c.nextSteps); !next.empty())
        facts.add({"Next", next});
    return text + facts.text("  ") + differences("Tunable", c.tunables) + differences("Environment", c.environment) +
           differences("Metric", c.metrics);
}

} // namespace kl::cli
