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

LineEntry makeLineEntry(const LineRow& row, std::uint64_t start)
{
    const std::size_t name = row.file.rfind('/') + 1; // npos + 1 is 0
    LineEntry entry{static_cast<std::int64_t>(row.offset - start), std::string(row.file.substr(name)), static_cast<int>(row.line), {}};
    const std::string_view own = row.file.substr(0, name);
    if (!own.starts_with('/') && !row.folder.empty())
        entry.folder = std::string(row.folder) + '/';
    entry.folder += own;
    if (entry.folder.size() > 1)
        entry.folder.pop_back(); // the slash
    return entry;
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
    runLinePrograms(*content, readRelocations(*file, *index), [&](const LineRow& row) {
        if (row.section != code->section || row.end || row.offset < code->start || row.offset >= end || row.line > kMostLines)
            return;
        entries.push_back(makeLineEntry(row, code->start));
    });
    std::ranges::stable_sort(entries, {}, &LineEntry::offset);
    return entries;
}

const LineEntry* entryAt(const std::vector<LineEntry>& table, std::int64_t offset)
{
    const auto after = std::ranges::upper_bound(table, offset, {}, &LineEntry::offset);
    return after == table.begin() ? nullptr : &*std::prev(after);
}

const LineEntry* SourceLines::find(const std::string& function, std::int64_t offset)
{
    auto [at, isNew] = tables_.try_emplace(function);
    if (isNew)
        at->second = readLineTable(cubin_, function, LineTable::source);
    const LineEntry* entry = entryAt(at->second, offset);
    return entry && entry->line > 0 ? entry : nullptr;
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
