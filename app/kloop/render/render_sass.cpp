// SPDX-License-Identifier: MIT
#include "app/kloop/render/render_sass.h"

#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/diagnosis/run_facts.h"
#include "core/model/source_lines.h"
#include "core/sass/code_lines.h"
#include "sessions/measure/code_listing.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace kl::cli {
namespace {

constexpr std::size_t kContext = 2; ///< rows around a difference
constexpr std::size_t kOpcodesListed = 12;
constexpr double kTimeWorthShowing = 0.01; ///< of the slower launch: an instruction whose time moved by less is not a difference

std::string countText(const std::optional<std::int64_t>& value)
{
    return value ? formatNumber(static_cast<double>(*value)) : std::string();
}

std::string linePlace(const KernelCode& code, const CodeInstruction& one)
{
    return one.line > 0 ? placeText(code.files[static_cast<std::size_t>(one.file)], one.line) : std::string();
}

std::string formatStall(const KernelCode& code, const CodeInstruction& one)
{
    const std::string stall = dominantStall(code, one);
    return stall.empty() || stall == "selected" ? std::string() : stallTitle(stall);
}

/// A column that is shown only where any instruction has it.
struct Column {
    std::string heading;
    std::function<std::string(const CodeInstruction&)> cell;
};

std::vector<Column> makeColumns(const KernelCode& code)
{
    const double all = static_cast<double>(std::max<std::int64_t>(code.samples(), 1));
    return {
        {"Offset>", [](const CodeInstruction& one) { return fmt::format("{:04x}", one.offset); }},
        {"Line", [&code](const CodeInstruction& one) { return linePlace(code, one); }},
        {"Samples>",
         [all](const CodeInstruction& one) { return one.samples > 0 ? formatPercent(100 * static_cast<double>(one.samples) / all) : ""; }},
        {"Waits for", [&code](const CodeInstruction& one) { return formatStall(code, one); }},
        {"Executed>", [](const CodeInstruction& one) { return countText(one.executed); }},
        {"Threads>",
         [](const CodeInstruction& one) {
             return one.threads && one.executed.value_or(0) > 0
                        ? fmt::format("{:.1f}", static_cast<double>(*one.threads) / static_cast<double>(*one.executed))
                        : std::string();
         }},
        {"Sectors>", [](const CodeInstruction& one) { return countText(one.sectors); }},
        {"Ideal>", [](const CodeInstruction& one) { return countText(one.idealSectors); }},
        {"Bank conflicts>", [](const CodeInstruction& one) { return countText(one.bankConflicts()); }},
        {"Live>", [](const CodeInstruction& one) { return one.liveRegisters ? std::to_string(*one.liveRegisters) : std::string(); }},
        {code.language == CodeLanguage::ptx ? "From PTX" : "SASS", [](const CodeInstruction& one) { return one.text; }}};
}

std::string languageNote(const KernelCode& code)
{
    if (code.notDisassembled.empty())
        return {};
    return fmt::format("{}{}\n",
                       code.language == CodeLanguage::ptx
                           ? "Each instruction has the PTX that it was compiled from: machine code needs nvdisasm. "
                           : "No SASS: ",
                       code.notDisassembled);
}

std::string formatMoved(const std::optional<double>& ns)
{
    return ns && std::abs(*ns) >= 0.5 ? fmt::format("{}{}", *ns < 0 ? "-" : "+", formatTime(std::abs(*ns))) : std::string();
}

std::string changeLine(const char* what, std::int64_t a, std::int64_t b)
{
    return a == b ? fmt::format("  {}: {}\n", what, a) : fmt::format("  {}: {} -> {}\n", what, a, b);
}

std::string renderTotals(const RunRecord& a, const RunRecord& b, const CodeDiff& diff)
{
    std::string text;
    const LaunchFacts* before = RunFacts(a).launch();
    const LaunchFacts* after = RunFacts(b).launch();
    if (before && after && before->registers > 0 && after->registers > 0)
        text += changeLine("Registers per thread", before->registers, after->registers);
    if (diff.mostLiveA > 0 && diff.mostLiveB > 0)
        text += changeLine("Most live registers", diff.mostLiveA, diff.mostLiveB);
    text += changeLine("Spill instructions (LDL, STL)", diff.spillsA, diff.spillsB);
    text += fmt::format("  Instructions: {} added, {} removed, {} with other operands\n", diff.added, diff.removed, diff.changed);
    if (a.timing && b.timing)
        text += fmt::format("  GPU time: {} -> {}\n", formatTime(a.timing->gpu.median), formatTime(b.timing->gpu.median));
    return text;
}

std::string renderOpcodes(const CodeDiff& diff)
{
    if (diff.opcodes.empty())
        return {};
    Table table({"Opcode", "Before>", "After>", "Time>"});
    for (std::size_t i = 0; i < std::min(diff.opcodes.size(), kOpcodesListed); ++i) {
        const OpcodeDiff& one = diff.opcodes[i];
        table.add({one.opcode, std::to_string(one.a), std::to_string(one.b), formatMoved(one.movedNs)});
    }
    return '\n' + table.text("  ");
}

/// Rows to print: differences and what is around them.
std::vector<bool> chooseShownRows(const CodeDiff& diff, double slowerNs)
{
    std::vector<bool> shown(diff.rows.size(), false);
    for (std::size_t i = 0; i < diff.rows.size(); ++i) {
        const CodeDiffRow& row = diff.rows[i];
        if (row.a && row.b && !row.changed && std::abs(row.movedNs.value_or(0)) < kTimeWorthShowing * slowerNs)
            continue;
        for (std::size_t k = i < kContext ? 0 : i - kContext; k < std::min(i + kContext + 1, diff.rows.size()); ++k)
            shown[k] = true;
    }
    return shown;
}

std::string renderRows(const RunRecord& a, const RunRecord& b, const CodeDiff& diff)
{
    const SharedCode codeA = findCode(a);
    const SharedCode codeB = findCode(b);
    const double slower = std::max(a.timing ? a.timing->gpu.median : 1, b.timing ? b.timing->gpu.median : 1);
    const std::vector<bool> shown = chooseShownRows(diff, slower);
    Table table({"", "Before>", "After>", "Time>", "Instruction"});
    const auto offset = [](const SharedCode& code, const std::optional<std::size_t>& at) {
        return at ? fmt::format("{:04x}", code->instructions[*at].offset) : std::string();
    };
    for (std::size_t i = 0; i < diff.rows.size(); ++i) {
        const CodeDiffRow& row = diff.rows[i];
        if (!shown[i]) {
            if (i > 0 && shown[i - 1])
                table.add({"...", "", "", "", ""});
            continue;
        }
        const char* mark = !row.a ? "+" : !row.b ? "-" : row.changed ? "~" : "";
        if (row.changed)
            table.add({"-", offset(codeA, row.a), "", "", codeA->instructions[*row.a].text});
        const std::string& text = row.b ? codeB->instructions[*row.b].text : codeA->instructions[*row.a].text;
        table.add(
            {row.changed ? "+" : mark, row.changed ? "" : offset(codeA, row.a), offset(codeB, row.b), formatMoved(row.movedNs), text});
    }
    return table.empty() ? std::string() : '\n' + table.text("  ");
}

} // namespace

std::string renderCode(const RunRecord& run, const std::string& name)
{
    const SharedCode code = findCode(run);
    std::vector<Column> columns = makeColumns(*code);
    std::erase_if(columns, [&](const Column& column) {
        return std::ranges::all_of(code->instructions, [&](const CodeInstruction& one) { return column.cell(one).empty(); });
    });
    std::vector<std::string> headings;
    for (const Column& column : columns)
        headings.push_back(column.heading);
    Table table(headings);
    for (const CodeInstruction& one : code->instructions) {
        std::vector<std::string> row;
        for (const Column& column : columns)
            row.push_back(column.cell(one));
        table.add(std::move(row));
    }
    return applyTone(fmt::format("{}: {} instructions, {} samples", name, formatCount(static_cast<double>(code->instructions.size())),
                                 formatCount(static_cast<double>(code->samples()))),
                     Tone::strong) +
           '\n' + languageNote(*code) + table.text("  ");
}

std::string renderCodeDiff(const RunRecord& a, const RunRecord& b, const CodeDiff& diff, const std::string& nameA, const std::string& nameB)
{
    return applyTone(fmt::format("{} -> {}", nameA, nameB), Tone::strong) + '\n' + languageNote(*findCode(a)) + renderTotals(a, b, diff) +
           renderOpcodes(diff) + renderRows(a, b, diff);
}

} // namespace kl::cli
