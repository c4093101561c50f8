// SPDX-License-Identifier: MIT
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/table.h"
#include "core/codec/model_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::cli {

std::string renderEnvironment(const EnvReport& report)
{
    std::string text;
    Table table({"", "Check", "", "Found"});
    for (const EnvCheck& check : report.checks) {
        const bool failed = check.result == CheckResult::fail;
        table.add({applyTone(toWord(check.result), failed                              ? Tone::bad
                                                   : check.result == CheckResult::pass ? Tone::good
                                                                                       : Tone::faint),
                   check.id, toWord(check.requirement), check.found});
    }
    text += table.text();
    for (const EnvCheck& check : report.checks)
        if (check.result == CheckResult::fail) {
            text += fmt::format("\n{}: {}\n", applyTone(check.id, Tone::strong), check.why);
            if (const std::string fix = withCommands(check.fix, check.next); !fix.empty())
                text += fmt::format("  {}\n", fix);
        }
    return text + (passes(report) ? "\nThis machine is ready.\n" : "\nThis machine cannot measure yet.\n");
}

std::string renderKernels(const Catalog& catalog)
{
    std::string text;
    for (const KernelFamily& family : catalog.families()) {
        text += fmt::format("{}{}  {}{}\n", text.empty() ? "" : "\n", applyTone(family.id, Tone::strong), family.title,
                            family.baseline.name.empty() ? "" : ", baseline: " + family.baseline.name);
        if (!family.origin.empty())
            text += fmt::format("  your own: {}\n", family.origin.descriptor);
        Table table({"", "", ""});
        for (const Variant& variant : family.variants)
            table.add(
                {family.id + '/' + variant.id, variant.fault.empty() ? variant.expected.value_or("") : "fault",
                 variant.targets.empty() ? variant.title : fmt::format("{}  ({} only)", variant.title, fmt::join(variant.targets, ", "))});
        text += table.text("  ");
        std::string sizes;
        for (const Params& problem : family.problems)
            sizes += (sizes.empty() ? "" : "  ") + toText(problem);
        text += fmt::format("  sizes: {}  (smallest {})\n", sizes, toText(family.smallest));
    }
    for (const KernelFamily& program : catalog.programs())
        text += fmt::format("\n{}  {}, a program: for sessions\n  your own: {}\n", applyTone(program.id, Tone::strong), program.title,
                            program.origin.descriptor);
    return text;
}

std::string renderDecision(const Decision& decision)
{
    std::string text = fmt::format("{}: {}\n", applyTone(decision.level, Tone::strong), decision.action);
    int number = 0;
    for (const Decision::Step& step : decision.next)
        text += fmt::format("  {}. {}\n     {}\n", ++number, step.action, formatCommand(step.step));
    return text;
}

} // namespace kl::cli
