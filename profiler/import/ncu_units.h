// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace kl::inline nsight {

/// What a figure in one of ncu's printed units has to be multiplied with for the base unit that reports hold: "us" 1e3 (ns), "Gbyte" and
/// "Gbyte/s" 1e9, "Ghz" 1e9, "sector/ns" 1e9 (per second), "Kbyte/block" 1e3; 1 for a unit without such a part. ncu's prefixes are
/// decimal, and it treats a byte below the line like one above ("%/Kbyte" 1e3), as seen in its CSV beside the reports.
double baseUnitFactor(std::string_view unit);

} // namespace kl::inline nsight
