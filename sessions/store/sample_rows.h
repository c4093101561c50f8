// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "sessions/store/sqlite.h"

namespace kl::inline store {

/// Every sample of a run, zstd blobs in tables of their own: the cold ones (run_blocks), and the clock beside each, the hot and the host
/// ones (run_series). Series that are empty take no row.
Status saveSamples(const sqlite::Connection& db, const RunRecord& run);

/// Fills what saveSamples() stored of the run; leaves the rest as it is. Error badInput for a damaged blob.
Status readSamples(const sqlite::Connection& db, const RunId& id, Timing& timing);

} // namespace kl::inline store
