// SPDX-License-Identifier: MIT
#include "core/base/nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace kl {
namespace {

std::string lowerCase(std::string_view text)
{
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

/// Insertions, deletions and replacements between two texts; more than `limit` is answered with limit + 1.
std::size_t edits(const std::string& a, const std::string& b, std::size_t limit)
{
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit)
        return limit + 1;
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        std::size_t best = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
            best = std::min(best, row[j]);
        }
        if (best > limit)
            return limit + 1;
    }
    return row.back();
}

struct Candidate {
    std::size_t cost = 0;
    const std::string* name = nullptr;
};

} // namespace

std::vector<std::string> nearestNames(std::string_view wanted, std::span<const std::string> known, std::size_t count)
{
    const std::string requested = lowerCase(wanted);
    if (requested.empty())
        return {};
    const std::size_t limit = std::max<std::size_t>(2, requested.size() / 3);
    std::vector<Candidate> candidates;
    for (const std::string& name : known) {
        const std::string other = lowerCase(name);
        if (other.empty())
            continue;
        const bool holds = other.find(requested) != std::string::npos || requested.find(other) != std::string::npos;
        const std::size_t apart = edits(requested, other, limit);
        if (apart <= limit)
            candidates.push_back({apart, &name});
        else if (holds)
            candidates.push_back({limit + 1 + std::max(other.size(), requested.size()) - std::min(other.size(), requested.size()), &name});
    }
    std::ranges::stable_sort(candidates, {}, &Candidate::cost);
    std::vector<std::string> names;
    for (const Candidate& candidate : candidates) {
        if (names.size() == count)
            break;
        names.push_back(*candidate.name);
    }
    return names;
}

} // namespace kl
