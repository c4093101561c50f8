// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

#include <string>

namespace kl::inline stats {

/// "out[35] (m=2, n=3), block (0, 1), thread (3, 2): 4.5 instead of 3"; all digits of the two values, so that what was mixed up shows.
std::string mismatchText(const Mismatch& mismatch);

} // namespace kl::inline stats
