// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/command.h"
#include "core/model/search_record.h"

#include <string>

namespace kl::cli {

// Commands of `kloop search` about searches of the past.
Runner addSearchBest(CLI::App& app);
Runner addSearchList(CLI::App& app);
Runner addSearchShow(CLI::App& app);
Runner addSearchTransfer(CLI::App& app);

/// A GPU of a search by several, on a line: what it took for the reference, with its own noise and clock.
std::string referenceText(const SearchReference& reference);

} // namespace kl::cli
