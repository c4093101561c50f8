// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "kernels/reference/reference.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline live {

class BuiltWork;
class GpuSession;

/// The output of the python helper's operation for the work's inputs; unset if it is unavailable, or the work has no such output.
std::optional<std::vector<std::byte>> libraryOutput(GpuSession& session, const BuiltWork& work, const std::string& op);

/// Whether PyTorch computes the same as this work, as required by holdAgainstLibrary().
bool hasLibraryPeer(const BuiltWork& work);

/// Compares a correct result of attention with PyTorch's own 16-bit kernel on the same inputs: the row records that kernel's largest error,
/// and fails if its own is above twice that and half a unit in the last place of the largest expected element, to which both round (the
/// rule of FlashAttention's tests). Does nothing without PyTorch. `expected`: the work's reference.
void holdAgainstLibrary(GpuSession& session, const BuiltWork& work, const Expected& expected, SuiteRow& row);

/// Largest error that the rule allows, beside a library whose own is `peer`; `largest`: expected element of largest size.
double libraryLimit(double peer, double largest, bool bf16) noexcept;

} // namespace kl::inline live
