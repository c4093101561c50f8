// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/command.h"

namespace kl {

/// Every command of kloop, in the order of `kloop --help`.
const std::vector<Command>& commands();

} // namespace kl
