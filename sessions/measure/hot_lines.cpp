// SPDX-License-Identifier: MIT
#include "sessions/measure/hot_lines.h"

#include "core/base/trimmed.h"
#include "core/codec/model_fields.h"
#include "core/codec/run_codec.h"
#include "core/diagnosis/targets.h"
#include "kernels/code_builder.h"

#include <map>
#include <nlohmann/json.hpp>

namespace kl::inline measure {
namespace {

std::vector<std::string> textLines(const std::string& source)
{
    std::vector<std::string> lines;
    std::size_t from = 0;
    while (from < source.size()) {
        const auto end = std::min(source.find('\n', from), source.size());
        lines.push_back(source.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

/// Machine instructions instead of lines.
void addInstructions(const SourceProfile& profile, std::size_t most, HotLines& hot)
{
    hot.instructions = true;
    for (const SampledInstruction& one : profile.instructions) {
        if (hot.lines.size() >= most || one.samples == 0)
            break;
        SourceLine line{
            {},           0,           one.samples, static_cast<double>(one.samples) / static_cast<double>(profile.samples), one.stalls,
            one.executed, one.threads, {}};
        hot.lines.push_back({std::move(line), one.offset, dominantStall(one.stalls), {}, one.function});
    }
    hot.note = "The code has no line table: build it with -lineinfo to see source lines instead of instructions.";
}

Json instructionsToJson(const HotLines& hot)
{
    Json list = Json::array();
    for (const HotLine& one : hot.lines)
        list.push_back({{"function", one.text},
                        {"offset", *one.offset},
                        {"share", one.line.share},
                        {"samples", one.line.samples},
                        {"stall", one.stall},
                        {"stalls", one.line.stalls},
                        {"executed", toJson(one.line.executed)},
                        {"threads", toJson(one.line.threads)}});
    return list;
}

bool cameCompiled(const Catalog& catalog, const Address& kernel)
{
    const auto family = catalog.family(kernel.family);
    const auto variant = catalog.variant(kernel);
    return family && variant && chooseCodeText(**family, **variant).image;
}

/// Why lines have no text or no counts.
std::string composeNote(const RunRecord& run, const Catalog& catalog, bool haveSource)
{
    const SourceProfile& profile = *run.sourceProfile;
    if (run.imported && profile.texts.empty())
        return "The report does not contain the source, which ncu records with --import-source yes; lines are shown by file and number.";
    if (run.program && profile.texts.empty())
        return "The program's source is not where it was compiled; lines are shown by file and number.";
    const bool own = !run.program && !run.imported;
    if (own && cameCompiled(catalog, run.kernel))
        return "The kernel is a binary: lines are shown by number only.";
    if (own && !haveSource)
        return "The source has changed since this was measured; lines are shown by number only.";
    return profile.countsUnavailable.empty() ? std::string() : "Executions were not counted: " + profile.countsUnavailable;
}

} // namespace

const std::string* findMeasuredSource(const Catalog& catalog, const Address& kernel, const std::string& sourceHash)
{
    const auto family = catalog.family(kernel.family);
    const auto variant = catalog.variant(kernel);
    if (!family || !variant)
        return nullptr;
    const CodeText code = chooseCodeText(**family, **variant);
    return !code.image && code.hash() == sourceHash ? &code.source : nullptr;
}

HotLines hotLines(const RunRecord& run, const Catalog& catalog, std::size_t most)
{
    HotLines hot;
    if (!run.sourceProfile) {
        hot.unavailable = run.imported ? "The file has no samples of program counters." : "No program counters were sampled in this run.";
        return hot;
    }
    const SourceProfile& profile = *run.sourceProfile;
    hot.unavailable = profile.unavailable;
    if ((run.program || run.imported) && !profile.lines.empty() && profile.lines.front().line == 0) {
        addInstructions(profile, most, hot);
        return hot;
    }
    const std::string* source = findMeasuredSource(catalog, run.kernel, run.sourceHash);
    std::map<std::string, std::vector<std::string>> texts;
    for (const auto& [file, text] : profile.texts)
        texts[file] = textLines(text);
    if (source)
        texts[kSourceFile] = textLines(*source);
    for (const SourceLine& line : profile.lines) {
        if (hot.lines.size() >= most || line.samples == 0)
            break;
        HotLine one{line, {}, dominantStall(line.stalls), findCause(line), {}};
        if (const auto text = texts.find(line.file);
            text != texts.end() && line.line > 0 && static_cast<std::size_t>(line.line) <= text->second.size())
            one.text = trimText(text->second[static_cast<std::size_t>(line.line) - 1]);
        hot.lines.push_back(std::move(one));
    }
    if (!hot.lines.empty())
        hot.note = composeNote(run, catalog, source != nullptr);
    return hot;
}

std::optional<ShownSource> findShownSource(const RunRecord& run, const Catalog& catalog)
{
    if (const std::string* source = findMeasuredSource(catalog, run.kernel, run.sourceHash))
        return ShownSource{kSourceFile, *source};
    if (!run.sourceProfile)
        return {};
    for (const SourceLine& line : run.sourceProfile->lines)
        if (const auto text = run.sourceProfile->texts.find(line.file); text != run.sourceProfile->texts.end())
            return ShownSource{line.file, text->second};
    return {};
}

Json runToJsonWithLines(const RunRecord& run, const Catalog& catalog)
{
    Json json = runToJsonWithoutCode(run);
    if (isProfile(run))
        json["targets"] = targetsToJson(compareWithTargets(run));
    if (!run.sourceProfile)
        return json;
    Json& list = json["hot_lines"] = Json::array();
    const HotLines all = hotLines(run, catalog);
    if (all.instructions) {
        json["hot_instructions"] = instructionsToJson(all);
        return json;
    }
    for (const HotLine& hot : all.lines) {
        Json line = toJson(hot.line);
        line["stall"] = hot.stall;
        line["cause"] = Json{{"file", hot.cause.file}, {"line", hot.cause.line}};
        line["text"] = hot.text;
        list.push_back(std::move(line));
    }
    return json;
}

} // namespace kl::inline measure
