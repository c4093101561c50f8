// SPDX-License-Identifier: MIT
#include "core/sass/code_diff.h"

#include "core/sass/code_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <dtl/dtl.hpp>
#include <map>
#include <string_view>

namespace kl::inline sass {
namespace {

/// Times of instructions by their samples.
class Times {
public:
    explicit Times(const CodeSide& side) : side_(side), samples_(side.code->samples()) {}

    std::optional<double> at(std::optional<std::size_t> index) const
    {
        if (!side_.gpuNs || samples_ == 0)
            return {};
        return index ? *side_.gpuNs * static_cast<double>(side_.code->instructions[*index].samples) / static_cast<double>(samples_) : 0;
    }

private:
    const CodeSide& side_;
    std::int64_t samples_;
};

std::vector<std::string_view> listOpcodes(const KernelCode& code)
{
    std::vector<std::string_view> opcodes;
    for (const CodeInstruction& one : code.instructions)
        opcodes.push_back(extractOpcode(one.text));
    return opcodes;
}

std::vector<CodeDiffRow> align(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b)
{
    constexpr bool kDeletesFirst = true;
    dtl::Diff<std::string_view, std::vector<std::string_view>> diff(a, b, kDeletesFirst);
    diff.compose();
    std::vector<CodeDiffRow> rows;
    std::size_t nextA = 0;
    std::size_t nextB = 0;
    for (const auto& [opcode, where] : diff.getSes().getSequence()) {
        CodeDiffRow& row = rows.emplace_back();
        if (where.type != dtl::SES_ADD)
            row.a = nextA++;
        if (where.type != dtl::SES_DELETE)
            row.b = nextB++;
    }
    return rows;
}

bool isSpill(std::string_view opcode)
{
    return opcode.starts_with("LDL") || opcode.starts_with("STL");
}

void sumSide(const KernelCode& code, std::int64_t& spills, int& mostLive)
{
    for (const CodeInstruction& one : code.instructions) {
        spills += isSpill(extractOpcode(one.text)) ? 1 : 0;
        mostLive = std::max(mostLive, one.liveRegisters.value_or(0));
    }
}

void addTime(std::optional<double>& sum, const std::optional<double>& part, double sign)
{
    if (part)
        sum = sum.value_or(0) + sign * *part;
}

std::vector<OpcodeDiff> countOpcodes(const CodeSide& a, const CodeSide& b, const Times& timesA, const Times& timesB)
{
    std::map<std::string_view, OpcodeDiff> counts;
    const bool timed = timesA.at({}) && timesB.at({});
    const auto count = [&](const CodeSide& side, std::int64_t OpcodeDiff::*member, const Times& times, double sign) {
        for (std::size_t i = 0; i < side.code->instructions.size(); ++i) {
            OpcodeDiff& one = counts[extractOpcode(side.code->instructions[i].text)];
            one.*member += 1;
            if (timed)
                addTime(one.movedNs, times.at(i), sign);
        }
    };
    count(a, &OpcodeDiff::a, timesA, -1);
    count(b, &OpcodeDiff::b, timesB, 1);
    std::vector<OpcodeDiff> list;
    for (auto& [opcode, one] : counts) {
        one.opcode = opcode;
        if (one.a != one.b || one.movedNs.value_or(0) != 0)
            list.push_back(one);
    }
    std::ranges::stable_sort(list, std::ranges::greater{},
                             [](const OpcodeDiff& one) { return std::pair(std::abs(one.movedNs.value_or(0)), std::abs(one.b - one.a)); });
    return list;
}

} // namespace

CodeDiff diffCode(const CodeSide& a, const CodeSide& b)
{
    CodeDiff diff;
    diff.rows = align(listOpcodes(*a.code), listOpcodes(*b.code));
    const Times timesA(a);
    const Times timesB(b);
    for (CodeDiffRow& row : diff.rows) {
        row.changed = row.a && row.b && a.code->instructions[*row.a].text != b.code->instructions[*row.b].text;
        diff.added += row.a ? 0 : 1;
        diff.removed += row.b ? 0 : 1;
        diff.changed += row.changed ? 1 : 0;
        const auto before = timesA.at(row.a);
        const auto after = timesB.at(row.b);
        if (before && after)
            row.movedNs = *after - *before;
    }
    diff.opcodes = countOpcodes(a, b, timesA, timesB);
    sumSide(*a.code, diff.spillsA, diff.mostLiveA);
    sumSide(*b.code, diff.spillsB, diff.mostLiveB);
    return diff;
}

} // namespace kl::inline sass
