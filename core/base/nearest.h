// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// Up to `count` names of `known` that are most similar to `wanted`, best first: those few edits away
/// (Levenshtein, at most a third of its length), then those that hold it or are held by it. Case does not matter.
std::vector<std::string> nearestNames(std::string_view wanted, std::span<const std::string> known, std::size_t count = 3);

} // namespace kl
