// SPDX-License-Identifier: MIT
#include "sessions/engine/hot_lines.h"

#include "core/codec/model_fields.h"
#include "core/codec/run_codec.h"
#include "kernels/code_builder.h"

#include <string_view>

namespace kl {
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

std::string trimmed(const std::string& text)
{
    constexpr std::string_view blank = " \t\r";
    const auto from = text.find_first_not_of(blank);
    return from == std::string::npos ? std::string() : text.substr(from, text.find_last_not_of(blank) - from + 1);
}

bool cameCompiled(const Catalogue& catalogue, const Address& kernel)
{
    const auto family = catalogue.family(kernel.family);
    const auto variant = catalogue.variant(kernel);
    return family && variant && codeTextOf(**family, **variant).image;
}

} // namespace

const std::string* measuredSource(const Catalogue& catalogue, const Address& kernel, const std::string& sourceHash)
{
    const auto family = catalogue.family(kernel.family);
    const auto variant = catalogue.variant(kernel);
    if (!family || !variant)
        return nullptr;
    const CodeText code = codeTextOf(**family, **variant);
    return !code.image && code.hash() == sourceHash ? &code.source : nullptr;
}

HotLines hotLines(const RunRecord& run, const Catalogue& catalogue, std::size_t most)
{
    HotLines hot;
    if (!run.sourceProfile) {
        hot.unavailable = "No program counters were sampled with this run.";
        return hot;
    }
    const SourceProfile& profile = *run.sourceProfile;
    hot.unavailable = profile.unavailable;
    if (run.program && !profile.lines.empty() && profile.lines.front().line == 0) {
        hot.unavailable = "The program's code has no line table: build it with -lineinfo to see which lines take the time.";
        return hot;
    }
    const std::string* source = measuredSource(catalogue, run.kernel, run.sourceHash);
    const std::vector<std::string> texts = source ? textLines(*source) : std::vector<std::string>{};
    for (const SourceLine& line : profile.lines) {
        if (hot.lines.size() >= most || line.samples == 0)
            break;
        HotLine one{line, dominantStall(line.stalls), causeOf(line), {}};
        if (line.file == kSourceFile && line.line > 0 && static_cast<std::size_t>(line.line) <= texts.size())
            one.text = trimmed(texts[static_cast<std::size_t>(line.line) - 1]);
        hot.lines.push_back(std::move(one));
    }
    if (!hot.lines.empty() && run.program)
        hot.note = "The program's source is not kept: its lines are given by file and number.";
    else if (!hot.lines.empty() && cameCompiled(catalogue, run.kernel))
        hot.note = "The kernel came compiled: its lines are given by number alone.";
    else if (!hot.lines.empty() && !source)
        hot.note = "The source has changed since this was measured: its lines are given by number alone.";
    else if (!profile.countsUnavailable.empty())
        hot.note = "Executions were not counted: " + profile.countsUnavailable;
    return hot;
}

Json runToJsonWithLines(const RunRecord& run, const Catalogue& catalogue)
{
    Json json = runToJson(run);
    if (!run.sourceProfile)
        return json;
    Json& list = json["hot_lines"] = Json::array();
    for (const HotLine& hot : hotLines(run, catalogue).lines) {
        Json line = toJson(hot.line);
        line["stall"] = hot.stall;
        line["cause"] = Json{{"file", hot.cause.file}, {"line", hot.cause.line}};
        line["text"] = hot.text;
        list.push_back(std::move(line));
    }
    return json;
}

} // namespace kl
