// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <string>
#include <utility>
#include <vector>

namespace kl::ui {

/// What a reader needs to know about a run to trust it, as name and value: device, clock, passes, cold or hot, n, registers, occupancy …
/// Missing values are listed as such.
std::vector<std::pair<std::string, std::string>> factRows(const RunRecord& run);

} // namespace kl::ui
