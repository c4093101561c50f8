// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/baselines/attention_sizes.h"
#include "profiler/live/baselines/cudnn_graph.h"

#include <memory>

namespace kl::inline live::cudnn {

/// Attention as the operations that cuDNN fuses into one kernel: product, scale, causal mask where there is one, softmax, product. The
/// pattern is that of cuDNN's documentation ("fused flash attention fprop"); its masks are index comparisons.
class Attention {
public:
    /// Chooses the engine. Error environment: cuDNN has none for this problem on this device, or failed.
    static Result<std::unique_ptr<Attention>> plan(const Functions& functions, Handle handle, const AttentionSizes& sizes);

    std::int64_t workspaceBytes() const noexcept { return graph_.workspaceBytes(); }

    /// Device addresses of the tensors and of workspaceBytes() bytes. Once, before run().
    Status bind(void* q, void* k, void* v, void* o, void* workspace);

    /// Queues one call on the handle's stream.
    Status run() { return graph_.run(handle_); }

private:
    Attention(const Functions& functions, Handle handle, const AttentionSizes& sizes);
    void build(const AttentionSizes& sizes);

    Graph graph_;
    Handle handle_;
    bool causal_;
    float scale_;
    float hidden_; ///< score of a key that the mask hides
};

} // namespace kl::inline live::cudnn
