// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/run.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// Runs in one file, for another machine's database: {schema: "kernelloop.bundle/1", exported_at, results: [as `kloop run --json`]},
/// compressed by zstd, whole with every sample. Ids stay, so that a run that went there and back is the same one.
std::string writeBundle(const std::vector<RunRecord>& runs);

/// Whether bytes begin as a bundle does: as a zstd frame.
bool isBundle(std::string_view bytes);

/// Inverse of writeBundle. Error badInput for a damaged file or another compressed one.
Result<std::vector<RunRecord>> readBundle(std::string_view bytes, const std::string& where);

/// The runs of JSON that KernelLoop printed: one run or profile, or {results: […]}. Error badInput for any other text.
Result<std::vector<RunRecord>> readRuns(std::string_view text, const std::string& where);

} // namespace kl
