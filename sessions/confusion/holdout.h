// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/params.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline confusion {

/// Labeled kernels that were not used for setting the tree's thresholds: whole families, and of the others the problems whose
/// hash of "seed/family/problem" is divisible by `oneSizeIn` (FNV-1a, 64 bits). Chosen once, with its date
/// (resources/diagnosis-holdout.json).
struct Holdout {
    std::string chosenAt; ///< UTC
    std::uint64_t seed = 0;
    std::string how; ///< as text
    std::vector<std::string> families;
    int oneSizeIn = 0;  ///< 0: no sizes
    std::string unseen; ///< as text: how the sizes of Part::unseen were drawn

    bool holds(const Address& kernel, const Params& problem) const;
};

/// The built-in one. Error badInput names the field.
Result<Holdout> loadEmbeddedHoldout();
Result<Holdout> parseHoldout(std::string_view json, std::string_view where);

} // namespace kl::inline confusion
