// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/params.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// Labeled kernels that were not looked at while the tree's thresholds were set: whole families, and of the others the problems whose
/// hash of "seed/family/problem" is divisible by `oneSizeIn` (FNV-1a, 64 bits). Chosen once, with its date
/// (resources/diagnosis-holdout.json).
struct Holdout {
    std::string chosenAt; ///< UTC
    std::uint64_t seed = 0;
    std::string how; ///< in words
    std::vector<std::string> families;
    int oneSizeIn = 0;  ///< 0: no sizes
    std::string unseen; ///< in words, how the sizes were drawn that are measured apart (Part::unseen)

    bool holds(const Address& kernel, const Params& problem) const;
};

/// The one that the program carries. Error badInput names the field.
Result<Holdout> embeddedHoldout();
Result<Holdout> parseHoldout(std::string_view json, std::string_view where);

} // namespace kl
