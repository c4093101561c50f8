// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/command.h"

namespace kl::cli {

// Commands of `kloop search` about searches of the past.
Runner addSearchBest(CLI::App& app);
Runner addSearchList(CLI::App& app);
Runner addSearchShow(CLI::App& app);
Runner addSearchTransfer(CLI::App& app);

} // namespace kl::cli
