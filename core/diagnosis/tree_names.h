// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl::inline diagnosis {

// The names available to a tree: the registries are closed, and these are their ids, for lists and for errors.

/// Of conditions, and of {placeholders}: "excess_sectors_percent". See Quantity.
std::vector<std::string> quantityIds();
/// Of {placeholders} alone: "dominant_stall". See factInWords.
std::vector<std::string> factIds();
/// Of estimates: "excess-sectors". See findEstimate.
std::vector<std::string> estimateIds();

} // namespace kl::inline diagnosis
