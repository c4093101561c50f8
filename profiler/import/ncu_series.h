// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/pm_sampling.h"
#include "profiler/import/result_layout.h"

#include <optional>

namespace kl::ncu {

struct NameTable;

/// What Nsight Compute's PM sampling recorded of a kernel over its duration: the metrics that are shown (findPmRole). Their instances
/// belong to times of the GPU's clock. Unset where the result has none.
std::optional<PmSampling> readSeries(const RawResult& kernel, const NameTable& table);

} // namespace kl::ncu
