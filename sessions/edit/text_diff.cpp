// SPDX-License-Identifier: MIT
#include "sessions/edit/text_diff.h"

#include <algorithm>
#include <dtl/dtl.hpp>
#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace kl::inline edit {
namespace {

constexpr std::size_t kContext = 3;

/// Lines with their line ends, so that a missing last one is a difference.
std::vector<std::string_view> splitKeepingEnds(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
        lines.push_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return lines;
}

struct Line {
    char mark; ///< ' ', '-' or '+'
    std::string_view text;
};

/// Both texts as one list of marked lines, what was removed before what was added in its place.
std::vector<Line> compareLines(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after)
{
    constexpr bool kDeletesFirst = true;
    dtl::Diff<std::string_view, std::vector<std::string_view>> diff(before, after, kDeletesFirst);
    diff.compose();
    std::vector<Line> lines;
    for (const auto& [text, where] : diff.getSes().getSequence())
        lines.push_back({where.type == dtl::SES_ADD ? '+' : where.type == dtl::SES_DELETE ? '-' : ' ', text});
    return lines;
}

/// Ours, since dtl's own hunks number the lines of an empty text from 1 and do not support a missing line end.
std::string formatHunks(const std::vector<Line>& lines)
{
    std::string text;
    std::size_t a = 1; // line numbers at `i`
    std::size_t b = 1;
    const auto advance = [&](const Line& line) { a += line.mark != '+', b += line.mark != '-'; };
    for (std::size_t i = 0; i < lines.size();) {
        const auto changed = [](const Line& line) { return line.mark != ' '; };
        const std::size_t first = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(i), lines.end(), changed) - lines.begin();
        if (first == lines.size())
            break;
        const std::size_t from = first > i + kContext ? first - kContext : i;
        std::size_t last = first; // of the hunk's changes: the next is nearer than two contexts
        for (std::size_t k = first; k < lines.size() && k <= last + 2 * kContext; ++k)
            if (changed(lines[k]))
                last = k;
        const std::size_t to = std::min(lines.size(), last + 1 + kContext);
        for (; i < from; ++i)
            advance(lines[i]);
        const std::size_t aFrom = a;
        const std::size_t bFrom = b;
        std::string body;
        for (; i < to; ++i) {
            advance(lines[i]);
            body += lines[i].mark;
            body += lines[i].text;
            if (!lines[i].text.ends_with('\n'))
                body += "\n\\ No newline at end of file\n";
        }
        const auto range = [](std::size_t start, std::size_t end) {
            return fmt::format("{},{}", end == start ? start - 1 : start, end - start);
        };
        text += fmt::format("@@ -{} +{} @@\n{}", range(aFrom, a), range(bFrom, b), body);
    }
    return text;
}

} // namespace

TextDiff diffTexts(const std::string& name, const std::string& before, const std::string& after)
{
    TextDiff diff;
    if (before == after)
        return diff;
    const std::vector<Line> lines = compareLines(splitKeepingEnds(before), splitKeepingEnds(after));
    for (const Line& line : lines) {
        diff.added += line.mark == '+' ? 1 : 0;
        diff.removed += line.mark == '-' ? 1 : 0;
    }
    diff.unified = fmt::format("--- a/{0}\n+++ b/{0}\n{1}", name, formatHunks(lines));
    return diff;
}

} // namespace kl::inline edit
