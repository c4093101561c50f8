// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/work.h"
#include "profiler/live/cuda/handles.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline live {

/// An implementation that is issued on the kernel's own stream. Needs a current context.
class StreamBaseline {
public:
    virtual ~StreamBaseline() = default;

    /// Queues one call.
    virtual Status issue() = 0;

    /// "cuDNN 9.19.0"; empty where there is none.
    virtual std::string version() const { return {}; }

    /// The output of the calls so far, once the stream is done; unset if it does not solve the kernel's problem.
    virtual Result<std::optional<std::vector<std::byte>>> output() { return std::optional<std::vector<std::byte>>(); }
};

/// The inputs for preparing a baseline.
struct StreamPlace {
    CUstream stream = nullptr;
    std::string arch; ///< "sm_90", of what is compiled for it
    /// Generated elements of an input of the kernel; null if there is none at this position: 0 Q, 1 K, 2 V.
    std::function<const std::vector<std::byte>*(std::size_t)> input;
    std::function<std::vector<std::string>()> libraryFolders; ///< of the user's python
};

/// A device-to-device copy of `bytes` bytes.
Result<std::unique_ptr<StreamBaseline>> makeCopyBaseline(std::size_t bytes, const StreamPlace& place);

/// cuDNN's fused attention. Error environment: no cuDNN, or none of its engines supports the problem.
Result<std::unique_ptr<StreamBaseline>> makeCudnnBaseline(const BaselineSpec& spec, const StreamPlace& place);

/// Attention in three steps, scores kept in memory: cuBLAS's product of Q and K (FP32 scores), a softmax kernel that writes 16-bit weights,
/// cuBLAS's product with V. Error environment: no cuBLAS; device limit: the scores do not fit.
Result<std::unique_ptr<StreamBaseline>> makeCublasBaseline(const BaselineSpec& spec, const StreamPlace& place);

} // namespace kl::inline live
