// SPDX-License-Identifier: MIT
// Compiles where clang can take GCC's place for the tests: it reads C++20 with the standard library of the GCC that is used.
// KL_GCC: the major version of that GCC.
#include <algorithm>
#include <compare>
#include <ranges>
#include <span>
#include <string>
#include <vector>

static_assert(_GLIBCXX_RELEASE == KL_GCC, "clang has found another GCC's headers");

struct Version {
    int major = 0;
    int minor = 0;
    auto operator<=>(const Version&) const = default;
};

int newest(std::span<const Version> versions)
{
    std::vector<Version> sorted(versions.begin(), versions.end());
    std::ranges::sort(sorted, std::ranges::greater());
    return sorted.empty() ? 0 : sorted.front().major;
}
