// SPDX-License-Identifier: MIT
#include "core/sass/disassemble.h"

#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/process/cuda_tool.h"
#include "core/process/run_to_end.h"
#include "core/sass/cubin.h"
#include "core/sass/disassembly.h"
#include "core/sass/elf_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace kl::inline sass {
namespace {

constexpr double kSeconds = 20;
constexpr std::size_t kMostOutput = 256U << 20; ///< bytes; 300 for each of 800,000 instructions

/// "SM90a" for 90: what is specific to an architecture is a superset of what is not.
std::string formatArchitecture(int computeCapability)
{
    return fmt::format("SM{}{}", computeCapability, computeCapability >= 90 ? "a" : "");
}

Result<std::string> runTool(const KernelCode& code, bool whole)
{
    KL_ASSIGN(const std::filesystem::path program, findCudaTool({"nvdisasm", "KERNELLOOP_NVDISASM", "cuda-nvdisasm"}));
    KL_ASSIGN(const ScratchFolder folder, ScratchFolder::make());
    const std::filesystem::path file = folder.path() / "image";
    KL_TRY(writeFile(file, code.image));
    std::vector<std::string> words{program.string()};
    if (whole) {
        std::string symbols;
        for (const std::string& name : code.functions)
            if (const auto function = findFunction(code.image, name))
                symbols += fmt::format("{}{}", symbols.empty() ? "" : ",", function->symbol);
        words.insert(words.end(), {"-c", "-lrm", "count", "-fun", symbols});
    } else {
        words.insert(words.end(), {"-b", formatArchitecture(code.computeCapability)});
    }
    words.push_back(file.string());
    std::error_code failure;
    const CompletedRun run = runToEnd({.arguments = std::move(words)}, kSeconds, {.kept = kMostOutput}, failure);
    if (failure)
        return Error{.code = ErrorCode::environment, .message = fmt::format("{}: {}.", program.string(), failure.message())};
    if (run.timedOut || run.end.status != 0)
        return Error{.code = ErrorCode::environment,
                     .message = run.timedOut ? fmt::format("nvdisasm did not finish within {} s.", kSeconds)
                                             : fmt::format("nvdisasm {}.", run.end.text()),
                     .detail = run.output};
    return run.output;
}

/// Whether it only fills a function up to its alignment: nvdisasm does not print these.
bool isPadding(const CodeInstruction& one)
{
    return one.text.empty() && one.samples == 0 && one.executed.value_or(0) == 0;
}

/// The lines of one function, by their offsets in it. Padding behind the last one is dropped.
void takeTexts(KernelCode& code, int index, const std::vector<DisassembledLine>& lines, std::int64_t start)
{
    const auto first = std::ranges::lower_bound(code.instructions, index, {}, &CodeInstruction::function);
    const auto last = std::ranges::upper_bound(code.instructions, index, {}, &CodeInstruction::function);
    for (const DisassembledLine& line : lines) {
        const auto found = std::ranges::lower_bound(first, last, line.offset - start, {}, &CodeInstruction::offset);
        if (found == last || found->offset != line.offset - start)
            continue;
        found->text = line.text;
        found->liveRegisters = line.liveRegisters;
    }
    auto end = last;
    while (end != first && isPadding(*std::prev(end)))
        --end;
    if (end != first)
        code.instructions.erase(end, last);
}

std::string sectionName(const std::string& image, std::size_t index)
{
    const auto file = ElfFile::read(image);
    const auto section = file ? file->section(index) : std::nullopt;
    return section ? std::string(file->name(*section)) : std::string();
}

} // namespace

bool canDisassemble(const KernelCode& code)
{
    return code.language != CodeLanguage::sass && !code.image.empty() && !code.instructions.empty();
}

KernelCode disassemble(KernelCode code)
{
    if (!canDisassemble(code))
        return code;
    const bool whole = readComputeCapability(code.image) > 0;
    const Result<std::string> output = runTool(code, whole);
    if (!output) {
        code.notDisassembled = output.error().message;
        return code;
    }
    const auto sections = readDisassembly(*output);
    if (sections.empty()) {
        code.notDisassembled = "nvdisasm printed no instructions.";
        return code;
    }
    for (CodeInstruction& one : code.instructions)
        one.text.clear();
    for (int i = 0; i < static_cast<int>(whole ? code.functions.size() : 1); ++i) {
        const auto function = whole ? findFunction(code.image, code.functions[static_cast<std::size_t>(i)]) : std::nullopt;
        const auto lines = sections.find(function ? sectionName(code.image, function->section) : std::string());
        if (lines != sections.end())
            takeTexts(code, i, lines->second, function ? static_cast<std::int64_t>(function->start) : 0);
    }
    code.language = CodeLanguage::sass;
    code.notDisassembled.clear();
    code.image.clear();
    return code;
}

void disassemble(SourceProfile& profile)
{
    if (profile.code && canDisassemble(*profile.code))
        profile.code = SharedCode(disassemble(*profile.code));
}

} // namespace kl::inline sass
