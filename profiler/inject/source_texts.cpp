// SPDX-License-Identifier: MIT
#include "profiler/inject/source_texts.h"

#include "core/sass/line_table.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace kl::inject {
namespace {

constexpr std::size_t kFiles = 4;
constexpr std::uintmax_t kMostTextBytes = 128 << 10;

std::string readIfSmall(const std::filesystem::path& file)
{
    std::error_code unreadable;
    if (!std::filesystem::is_regular_file(file, unreadable) || std::filesystem::file_size(file, unreadable) > kMostTextBytes || unreadable)
        return {};
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Where the line table says that a line's file was compiled.
std::filesystem::path findSourcePath(const SourceProfile& profile, const SourceLine& line, SourceLines& places)
{
    const auto at = std::ranges::find_if(profile.instructions,
                                         [&](const SampledInstruction& one) { return one.line == line.line && one.file == line.file; });
    if (at == profile.instructions.end())
        return {};
    const LineEntry* place = places.find(at->function, at->offset);
    return place ? std::filesystem::path(place->folder) / place->file : std::filesystem::path();
}

} // namespace

std::map<std::string, std::string> sourceTexts(const SourceProfile& profile, std::string_view cubin)
{
    std::map<std::string, std::string> texts;
    std::set<std::string> looked;
    SourceLines places(cubin);
    for (const SourceLine& line : profile.lines) {
        if (line.line == 0 || !looked.insert(line.file).second)
            continue;
        if (looked.size() > kFiles)
            break;
        if (std::string text = readIfSmall(findSourcePath(profile, line, places)); !text.empty())
            texts[line.file] = std::move(text);
    }
    return texts;
}

} // namespace kl::inject
