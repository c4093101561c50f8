// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/diagnosis/tree.h"
#include "core/model/run.h"
#include "kernels/catalog.h"

#include <functional>
#include <string>
#include <vector>

namespace kl::inline imports {

/// Runs read from a file.
struct OpenedFile {
    std::vector<RunRecord> runs; ///< each with a diagnosis; never empty
    std::vector<Warning> notes;  ///< parts of the file that were not read
    bool foreign = false;        ///< another tool's: its runs exist only in the file so far
};

/// The runs of an Nsight Compute report (.ncu-rep, .ncu-repz), of a table that `ncu --csv` printed (pages raw and details), of a bundle
/// (`kloop export`), or of JSON that `kloop run`, `profile` or `analyze` printed. The kind is detected from the content. Runs are diagnosed
/// again, those of the catalog's kernels with their fixes. Errors: badInput for a file that cannot be opened, is of no such kind (other
/// well-known kinds are named), is damaged, or is larger than 2 GiB.
Result<OpenedFile> openFile(const std::string& path, const DiagnosisTree& tree, const Catalog& catalog);

/// Returns the catalog on request.
using CatalogSource = std::function<Result<const Catalog*>()>;

/// The same if the catalog takes time to load: it is requested only for KernelLoop's own runs. `sound` is called once a file of another
/// tool was read without errors, before it is diagnosed: work that needs it may start in parallel.
Result<OpenedFile> openFile(const std::string& path, const DiagnosisTree& tree, const CatalogSource& catalog,
                            const std::function<void()>& sound = {});

} // namespace kl::inline imports
