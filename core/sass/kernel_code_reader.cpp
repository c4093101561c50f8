// SPDX-License-Identifier: MIT
#include "core/sass/kernel_code_reader.h"

#include "core/base/clean_text.h"
#include "core/sass/cubin.h"
#include "core/sass/line_table.h"

#include <algorithm>
#include <tuple>

namespace kl::inline sass {
namespace {

constexpr std::int64_t kInstructionBytes = 16;
constexpr std::size_t kLargestImage = 512 << 10; ///< bytes; of a larger one, the kernel's own instructions are kept

int indexIn(std::vector<std::string>& names, const std::string& name)
{
    const auto found = std::ranges::find(names, name);
    if (found != names.end())
        return static_cast<int>(found - names.begin());
    names.push_back(name);
    return static_cast<int>(names.size()) - 1;
}

/// PTX on one line, with single blanks.
std::string tidy(std::string_view ptx)
{
    std::string line = cleanLine(ptx);
    const auto both = [](char a, char b) { return a == ' ' && b == ' '; };
    line.erase(std::unique(line.begin(), line.end(), both), line.end());
    return line;
}

void addFunction(KernelCode& code, std::string_view cubin, int index, const std::vector<std::string_view>& ptx)
{
    const std::string& name = code.functions[static_cast<std::size_t>(index)];
    const auto found = findFunction(cubin, name);
    if (!found)
        return;
    const std::vector<LineEntry> lines = readLineTable(cubin, name, LineTable::source);
    const std::vector<LineEntry> ptxLines = ptx.empty() ? std::vector<LineEntry>() : readLineTable(cubin, name, LineTable::ptx);
    for (std::int64_t offset = 0; offset + kInstructionBytes <= static_cast<std::int64_t>(found->code.size());
         offset += kInstructionBytes) {
        CodeInstruction& one = code.instructions.emplace_back();
        one.function = index;
        one.offset = offset;
        if (const LineEntry* entry = entryAt(lines, offset); entry && entry->line > 0) {
            one.file = indexIn(code.files, cleanText(entry->file));
            one.line = entry->line;
        }
        if (const LineEntry* entry = entryAt(ptxLines, offset);
            entry && entry->line > 0 && static_cast<std::size_t>(entry->line) <= ptx.size())
            one.text = tidy(ptx[static_cast<std::size_t>(entry->line) - 1]);
    }
}

} // namespace

KernelCode readKernelCode(std::string_view cubin, const std::vector<std::string>& functions)
{
    KernelCode code;
    code.functions = functions;
    code.computeCapability = readComputeCapability(cubin);
    code.notDisassembled = "It was not disassembled yet.";
    const auto kernel = functions.empty() ? std::nullopt : findFunction(cubin, functions.front());
    if (!kernel) {
        code.notDisassembled = cubin.empty() ? "The machine code was not kept with the samples."
                                             : "The module that was kept with the samples does not contain the kernel.";
        return code;
    }
    const std::vector<std::string_view> ptx = ptxTexts(cubin);
    for (int i = 0; i < static_cast<int>(functions.size()); ++i)
        addFunction(code, cubin, i, ptx);
    if (std::ranges::any_of(code.instructions, [](const CodeInstruction& one) { return !one.text.empty(); }))
        code.language = CodeLanguage::ptx;
    code.image = cubin.size() <= kLargestImage ? cubin : kernel->code;
    return code;
}

KernelCode makeCodeFromSamples(const SourceProfile& profile)
{
    KernelCode code;
    code.notDisassembled = "The machine code was not kept with the samples.";
    for (const SampledInstruction& sampled : profile.instructions) {
        CodeInstruction one;
        one.function = indexIn(code.functions, sampled.function);
        one.offset = sampled.offset;
        one.file = sampled.line > 0 ? indexIn(code.files, sampled.file) : -1;
        one.line = sampled.line;
        one.executed = sampled.executed;
        one.threads = sampled.threads;
        addStalls(code, one, sampled.stalls);
        code.instructions.push_back(std::move(one));
    }
    std::ranges::sort(code.instructions, {}, [](const CodeInstruction& one) { return std::tuple(one.function, one.offset); });
    return code;
}

void addStalls(KernelCode& code, CodeInstruction& instruction, const std::map<std::string, std::int64_t>& stalls)
{
    for (const auto& [reason, samples] : stalls) {
        if (samples <= 0)
            continue;
        const auto index = static_cast<std::size_t>(indexIn(code.stalls, reason));
        instruction.stalls.resize(std::max(instruction.stalls.size(), code.stalls.size()));
        instruction.stalls[index] += samples;
        instruction.samples += samples;
    }
}

CodeInstruction* findInstruction(KernelCode& code, int function, std::int64_t offset)
{
    const auto found = std::ranges::lower_bound(code.instructions, std::tuple(function, offset), {},
                                                [](const CodeInstruction& one) { return std::tuple(one.function, one.offset); });
    return found != code.instructions.end() && found->function == function && found->offset == offset ? &*found : nullptr;
}

} // namespace kl::inline sass
