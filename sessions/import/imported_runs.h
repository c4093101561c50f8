// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"
#include "core/model/run.h"
#include "profiler/import/imported_file.h"

#include <string>
#include <vector>

namespace kl::inline imports {

/// Where a file's results came from.
struct ImportedOrigin {
    std::string file; ///< its name without folders
    std::string hash; ///< contentHash of its bytes
    std::string date; ///< of the file, for results that do not say when they were measured
};

/// A run of each result, diagnosed. Ids are derived from the file's bytes and the result's position: the same file gives the same runs.
/// Addresses are program/SLUG, as of kernels found inside programs by `kloop profile -- CMD`. The time is that of the one launch that was
/// profiled. Branches of the tree without their metrics are skipped.
std::vector<RunRecord> makeImportedRuns(ImportedFile file, const ImportedOrigin& origin, const DiagnosisTree& tree);

} // namespace kl::inline imports
