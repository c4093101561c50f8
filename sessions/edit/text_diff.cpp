// SPDX-License-Identifier: MIT
#include "sessions/edit/text_diff.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace kl {
namespace {

constexpr std::size_t kMostSteps = 16'000'000;
constexpr std::size_t kContext = 3;

/// Lines with their line ends, so that a missing last one is a difference.
std::vector<std::string_view> linesOf(std::string_view text)
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

using Lines = std::vector<std::string_view>;

/// The differing middle of both texts as marked lines.
void compareMiddle(const Lines& a, std::size_t aFrom, std::size_t aTo, const Lines& b, std::size_t bFrom, std::size_t bTo,
                   std::vector<Line>& out)
{
    const std::size_t n = aTo - aFrom;
    const std::size_t m = bTo - bFrom;
    std::vector<std::uint32_t> common; // length of the common subsequence of the tails from (i, j)
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * (m + 1) + j]; };
    if ((n + 1) * (m + 1) <= kMostSteps) {
        common.resize((n + 1) * (m + 1));
        for (std::size_t i = n; i-- > 0;)
            for (std::size_t j = m; j-- > 0;)
                at(i, j) = a[aFrom + i] == b[bFrom + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < n || j < m) {
        if (!common.empty() && i < n && j < m && a[aFrom + i] == b[bFrom + j]) {
            out.push_back({' ', a[aFrom + i]});
            ++i, ++j;
        } else if (i < n && (j == m || common.empty() || at(i + 1, j) >= at(i, j + 1))) {
            out.push_back({'-', a[aFrom + i++]});
        } else {
            out.push_back({'+', b[bFrom + j++]});
        }
    }
}

std::string hunksOf(const std::vector<Line>& lines)
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

TextDiff diffOf(const std::string& name, const std::string& before, const std::string& after)
{
    TextDiff diff;
    if (before == after)
        return diff;
    const Lines a = linesOf(before);
    const Lines b = linesOf(after);
    std::size_t head = 0;
    while (head < a.size() && head < b.size() && a[head] == b[head])
        ++head;
    std::size_t tail = 0;
    while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
        ++tail;
    std::vector<Line> lines;
    for (std::size_t i = 0; i < head; ++i)
        lines.push_back({' ', a[i]});
    compareMiddle(a, head, a.size() - tail, b, head, b.size() - tail, lines);
    for (std::size_t i = a.size() - tail; i < a.size(); ++i)
        lines.push_back({' ', a[i]});
    for (const Line& line : lines) {
        diff.added += line.mark == '+' ? 1 : 0;
        diff.removed += line.mark == '-' ? 1 : 0;
    }
    diff.unified = fmt::format("--- a/{0}\n+++ b/{0}\n{1}", name, hunksOf(lines));
    return diff;
}

} // namespace kl
