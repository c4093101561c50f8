// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/command.h"

namespace kl::cli {

/// `kloop report`, which is `kloop session report`, too.
Runner addReport(CLI::App& app);

} // namespace kl::cli
