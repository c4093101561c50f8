// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/diagnosis/tree.h"
#include "core/model/run.h"
#include "kernels/catalog.h"

#include <functional>
#include <string>
#include <vector>

namespace kl {

/// Runs read from a file.
struct OpenedFile {
    std::vector<RunRecord> runs; ///< each with a diagnosis; never empty
    std::vector<Warning> notes;  ///< what of the file was not read
    bool foreign = false;        ///< another tool's: its runs have no home yet but the file
};

/// The runs of an Nsight Compute report (.ncu-rep), of a table that `ncu --csv` printed (pages raw and details), of a bundle
/// (`kloop export`), or of JSON that `kloop run`, `profile` or `analyze` printed. The kind is told from the content. Runs are diagnosed
/// afresh, those of the catalog's kernels with their ladder. Errors: badInput for a file that cannot be opened, is of no such kind (other
/// well-known kinds are named), is damaged, or is larger than 2 GiB.
Result<OpenedFile> openFile(const std::string& path, const DiagnosisTree& tree, const Catalog& catalog);

/// Gives the catalog when it is asked for.
using CatalogSource = std::function<Result<const Catalog*>()>;

/// The same where the catalog takes time to make: it is asked for only where runs are our own. `sound` is called once a file of another
/// tool was read and nothing is wrong with it, before it is diagnosed: work for it may begin beside that.
Result<OpenedFile> openFile(const std::string& path, const DiagnosisTree& tree, const CatalogSource& catalog,
                            const std::function<void()>& sound = {});

} // namespace kl
