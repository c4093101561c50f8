// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/model/run.h"

namespace kl::cli {

/// A run beside the baselines that were asked for by name: times, rates, the kernel's speedup over each, errors, versions; of one that
/// cannot run, why.
std::string renderBaselines(const RunRecord& run);

/// The same: {schema, kernel, variant, problem, device, flops, rows: [{id, name, gpu_ns, kernels_ns, host_ns, tflops, speedup, max_abs,
/// rel_l2, version, kernels, unavailable}]}; the kernel's own row comes first, its id is null.
Json baselinesToJson(const RunRecord& run);

} // namespace kl::cli
