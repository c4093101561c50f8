// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/import/byte_source.h"
#include "sessions/import/open_file.h"
#include "sessions/store/store.h"

#include <optional>

namespace kl::inline imports {

/// Summary of an imported run: a file may have more runs than fit in memory.
struct ImportedRun {
    RunId id;
    std::string kernel; ///< its name in the tool, else its address
    std::string problem;
    std::string classId;
    std::optional<double> gpuNs;
    bool fresh = false; ///< it was not in the database before
};

ImportedRun inShort(const RunRecord& run, bool fresh);

/// Whether a file is a bundle, or may be JSON of KernelLoop: what importRuns() reads.
bool mayHoldOwnRuns(const PlainFile& file);

/// Returns the database on request: none is created for a file that cannot be read.
using StoreSource = std::function<Result<Store*>()>;

/// Stores the runs of a bundle or of JSON that KernelLoop printed, diagnosed again as openFile() does; `wanted` says which. The whole
/// file is read and checked before the first run is stored, then again to store a few at a time: memory stays bounded, others may write in
/// between, and importing a second time completes what a full disk has ended. Errors: RunReader's; the store's, saying what was stored.
Result<std::vector<ImportedRun>> importRuns(const PlainFile& file, const std::string& where, const DiagnosisTree& tree,
                                            const CatalogSource& catalog, const StoreSource& store,
                                            const std::function<bool(const RunRecord&)>& wanted);

} // namespace kl::inline imports
