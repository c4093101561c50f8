// SPDX-License-Identifier: MIT
#pragma once

#include <compare>

namespace kl::inline learning {

/// What decides the place of a change in every list of changes, those of a finding as those of an advice: the greater one comes first. A
/// change that a variant of the catalog already makes (catalogFixesFor()) comes before an edit, since one command measures it. Of two
/// alike the larger expected gain comes first, and of equals what the tree names first.
struct FixOrder {
    bool ready = false; ///< a variant that fixes the kernel has this change
    double gain = 0;    ///< expected ln(time before / time after)

    auto operator<=>(const FixOrder&) const = default;
};

} // namespace kl::inline learning
