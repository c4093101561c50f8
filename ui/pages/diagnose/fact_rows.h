// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <string>
#include <utility>
#include <vector>

namespace kl {

/// What a reader must know of a run to trust it, as name and value: device, clock, passes, cold or hot, n, registers, occupancy …
/// A figure that was not measured says so.
std::vector<std::pair<std::string, std::string>> factRows(const RunRecord& run);

} // namespace kl
