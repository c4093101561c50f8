// SPDX-License-Identifier: MIT
#include "core/sass/line_table.h"

#include "core/sass/cubin.h"
#include "core/sass/line_program.h"

#include <algorithm>
#include <limits>

namespace kl::inline sass {
namespace {

constexpr std::uint64_t kMostLines = std::numeric_limits<int>::max();

std::optional<std::size_t> findSection(const ElfFile& file, std::string_view name)
{
    for (std::size_t i = 0; i < file.sections(); ++i)
        if (const auto section = file.section(i); section && file.name(*section) == name)
            return i;
    return {};
}

std::string withoutFolder(std::string_view file)
{
    return std::string(file.substr(file.rfind('/') + 1)); // npos + 1 is 0
}

} // namespace

std::vector<LineEntry> readLineTable(std::string_view cubin, const std::string& function, LineTable table)
{
    const std::optional<ElfFile> file = ElfFile::read(cubin);
    const std::optional<CubinFunction> code = findFunction(cubin, function);
    const auto index = file ? findSection(*file, table == LineTable::source ? ".debug_line" : ".nv_debug_line_sass") : std::nullopt;
    const auto content = index ? file->content(*file->section(*index)) : std::nullopt;
    std::vector<LineEntry> entries;
    if (!content || !code)
        return entries;
    const std::uint64_t end = code->start + code->code.size();
    runLinePrograms(*content, relocationsOf(*file, *index), [&](const LineRow& row) {
        if (row.section != code->section || row.end || row.offset < code->start || row.offset >= end || row.line > kMostLines)
            return;
        entries.push_back({static_cast<std::int64_t>(row.offset - code->start), withoutFolder(row.file), static_cast<int>(row.line)});
    });
    std::ranges::stable_sort(entries, {}, &LineEntry::offset);
    return entries;
}

std::vector<std::string_view> ptxTexts(std::string_view cubin)
{
    const std::optional<ElfFile> file = ElfFile::read(cubin);
    const auto index = file ? findSection(*file, ".nv_debug_ptx_txt") : std::nullopt;
    const auto content = index ? file->content(*file->section(*index)) : std::nullopt;
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; content && at < content->size(); at += lines.back().size() + 1)
        lines.push_back(ElfFile::textAt(*content, at));
    return lines;
}

} // namespace kl::inline sass
