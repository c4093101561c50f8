// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/command.h"

namespace kl::cli {

// Commands of `kloop learn`.
Runner addLearnRules(CLI::App& app);
Runner addLearnModel(CLI::App& app);

} // namespace kl::cli
