// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "sessions/store/sqlite.h"

namespace kl::inline store {

/// Replaces the rows of `findings`: the finding and the secondary ones by rank.
Status saveFindings(const sqlite::Connection& db, const RunId& id, const Diagnosis& diagnosis);

/// Puts the newest later diagnosis of the run in place of that of its record, if there is one. Error badInput for a damaged one.
Status readNewestDiagnosis(const sqlite::Connection& db, RunRecord& run);

} // namespace kl::inline store
