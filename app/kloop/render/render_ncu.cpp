// SPDX-License-Identifier: MIT
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/diagnosis/classes.h"
#include "profiler/import/ncu_opinion.h"

#include <fmt/format.h>

namespace kl::cli {
namespace {

std::string speedupText(const RuleResult& rule)
{
    return rule.speedupPercent ? fmt::format("{} {}", formatPercent(*rule.speedupPercent), rule.speedupScope) : std::string();
}

std::string placesText(const RuleResult& rule)
{
    std::string text;
    for (const RulePlace& place : rule.places)
        text += fmt::format("      {}:{}: {}\n", place.file, place.line, place.text);
    return text;
}

} // namespace

std::string renderNcuOpinion(const RunRecord& run)
{
    if (!run.imported || !run.metrics || run.imported->rules.empty())
        return {};
    std::string text = '\n' + applyTone("Nsight Compute's own rules", Tone::strong) + '\n';
    const auto opinion = ncuOpinion(run.imported->rules, *run.metrics);
    if (opinion && run.diagnosis)
        text += fmt::format("  Its top rule, {}, points to {}, {}.\n", opinion->rule->rule, classTitle(opinion->classId),
                            opinion->classId == run.diagnosis->finding.classId ? "the same as above" : "unlike the finding above");
    for (const RuleResult& rule : run.imported->rules) {
        const std::string speedup = speedupText(rule);
        text += fmt::format("    {}{}, {}{}: {}\n{}", opinion && opinion->rule == &rule ? "> " : "", rule.rule, rule.kind,
                            speedup.empty() ? "" : ", est. speedup " + speedup, rule.text, placesText(rule));
    }
    return text;
}

} // namespace kl::cli
