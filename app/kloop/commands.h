// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/command.h"

namespace kl::cli {

/// Every command of kloop, in the order of `kloop --help`.
const std::vector<Command>& commands();

} // namespace kl::cli
