// SPDX-License-Identifier: MIT
#include "sessions/measure/code_listing.h"

#include "core/codec/fields.h"
#include "core/diagnosis/run_facts.h"
#include "core/sass/code_lines.h"
#include "core/sass/kernel_code_reader.h"
#include "sessions/measure/hot_lines.h"

namespace kl::inline measure {
namespace {

const char* toWord(CodeLanguage language)
{
    return language == CodeLanguage::sass ? "sass" : language == CodeLanguage::ptx ? "ptx" : "none";
}

Json countersToJson(const KernelCode& code, const CodeInstruction& one)
{
    Json stalls = Json::object();
    for (std::size_t i = 0; i < one.stalls.size(); ++i)
        if (one.stalls[i] > 0)
            stalls[code.stalls[i]] = one.stalls[i];
    return {{"file", one.file < 0 ? Json(nullptr) : Json(code.files[static_cast<std::size_t>(one.file)])},
            {"line", one.line > 0 ? Json(one.line) : Json(nullptr)},
            {"samples", one.samples},
            {"stall", dominantStall(code, one)},
            {"stalls", std::move(stalls)},
            {"executed", toJson(one.executed)},
            {"threads", toJson(one.threads)},
            {"sectors", toJson(one.sectors)},
            {"ideal_sectors", toJson(one.idealSectors)},
            {"wavefronts", toJson(one.wavefronts)},
            {"ideal_wavefronts", toJson(one.idealWavefronts)},
            {"bank_conflicts", toJson(one.bankConflicts())},
            {"live_registers", toJson(one.liveRegisters)}};
}

} // namespace

SharedCode findCode(const RunRecord& run)
{
    if (!run.sourceProfile)
        return {};
    const SourceProfile& profile = *run.sourceProfile;
    if (profile.code)
        return profile.code;
    return profile.instructions.empty() ? SharedCode() : SharedCode(makeCodeFromSamples(profile));
}

std::map<std::string, std::string> sourceTexts(const RunRecord& run, const Catalog& catalog)
{
    std::map<std::string, std::string> texts;
    if (run.sourceProfile)
        texts = run.sourceProfile->texts;
    if (const std::string* source = findMeasuredSource(catalog, run.kernel, run.sourceHash))
        texts[kSourceFile] = *source;
    return texts;
}

Json codeListingToJson(const KernelCode& code, const RunRecord& run)
{
    Json instructions = Json::array();
    for (const CodeInstruction& one : code.instructions) {
        Json row = countersToJson(code, one);
        row["function"] = code.functions[static_cast<std::size_t>(one.function)];
        row["offset"] = one.offset;
        row["text"] = one.text;
        instructions.push_back(std::move(row));
    }
    Json lines = Json::array();
    for (const LineSum& line : sumLines(code)) {
        Json row = countersToJson(code, line.sum);
        row["instructions"] = line.instructions.size();
        lines.push_back(std::move(row));
    }
    const LaunchFacts* launch = RunFacts(run).launch();
    return {{"language", toWord(code.language)},
            {"not_disassembled", code.notDisassembled.empty() ? Json(nullptr) : Json(code.notDisassembled)},
            {"functions", code.functions},
            {"samples", code.samples()},
            {"registers", launch && launch->registers > 0 ? Json(launch->registers) : Json(nullptr)},
            {"instructions", std::move(instructions)},
            {"lines", std::move(lines)}};
}

CodeSide makeCodeSide(const RunRecord& run, const SharedCode& code)
{
    return {&*code, RunFacts(run).launchNs()};
}

Json diffToJson(const CodeDiff& diff)
{
    Json opcodes = Json::array();
    for (const OpcodeDiff& one : diff.opcodes)
        opcodes.push_back({{"opcode", one.opcode}, {"a", one.a}, {"b", one.b}, {"moved_ns", toJson(one.movedNs)}});
    Json rows = Json::array();
    for (const CodeDiffRow& row : diff.rows)
        rows.push_back({{"a", toJson(row.a)}, {"b", toJson(row.b)}, {"changed", row.changed}, {"moved_ns", toJson(row.movedNs)}});
    return {{"added", diff.added},
            {"removed", diff.removed},
            {"changed", diff.changed},
            {"spills", {{"a", diff.spillsA}, {"b", diff.spillsB}}},
            {"most_live", {{"a", diff.mostLiveA}, {"b", diff.mostLiveB}}},
            {"opcodes", std::move(opcodes)},
            {"rows", std::move(rows)}};
}

} // namespace kl::inline measure
