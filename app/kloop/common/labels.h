// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/program.h"
#include "sessions/store/rows.h"

#include <string>
#include <vector>

// What commands that manage runs and sessions share.
namespace kl::cli {

/// Words separated by white space.
std::vector<std::string> splitWords(const std::string& text);

/// ", with 2 comparisons and 1 note", or nothing; "; evidence in session N" where that keeps a run from being deleted.
std::string describeLost(const Dependents& with);

/// The error of a deletion without --yes: what would be deleted.
Error makeUnconfirmedError(const std::string& lost);

/// Adds or removes tags of "run:ID" or "session:ID" and prints those that it has then.
Result<int> setTags(Program& program, const std::string& subject, const std::vector<std::string>& tags, bool on);

} // namespace kl::cli
