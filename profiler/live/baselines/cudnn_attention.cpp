// SPDX-License-Identifier: MIT
#include "profiler/live/baselines/cudnn_attention.h"

#include "core/base/try.h"

#include <limits>

namespace kl::inline live::cudnn {
namespace {

enum TensorId : std::int64_t { idQ = 1, idK, idV, idO, idScale, idHidden };

} // namespace

Attention::Attention(const Functions& functions, Handle handle, const AttentionSizes& sizes)
    : graph_(functions), handle_(handle), causal_(sizes.causal), scale_(sizes.scale()), hidden_(-std::numeric_limits<float>::infinity())
{
}

Result<std::unique_ptr<Attention>> Attention::plan(const Functions& functions, Handle handle, const AttentionSizes& sizes)
{
    std::unique_ptr<Attention> attention(new Attention(functions, handle, sizes));
    attention->build(sizes);
    attention->graph_.plan(handle);
    KL_TRY(attention->graph_.status());
    return attention;
}

void Attention::build(const AttentionSizes& s)
{
    const DataType type = s.bf16 ? dataBfloat16 : dataHalf;
    const Graph::Dims all{s.batch, s.heads, s.queries, s.keys};
    const Graph::Dims row{s.batch, s.heads, s.queries, 1};
    const auto packed = [&](std::int64_t id, std::int64_t length) {
        return graph_.tensor(id, type, {s.batch, s.heads, length, s.dim}, {s.heads * length * s.dim, length * s.dim, s.dim, 1});
    };
    const Descriptor q = packed(idQ, s.queries);
    const Descriptor keysAsColumns =
        graph_.tensor(idK, type, {s.batch, s.heads, s.dim, s.keys}, {s.heads * s.keys * s.dim, s.keys * s.dim, 1, s.dim});
    const Descriptor v = packed(idV, s.keys);
    const Descriptor o = packed(idO, s.queries);
    const Descriptor scale = graph_.scalar(idScale, dataFloat);

    const Descriptor products = graph_.between(dataFloat, all);
    graph_.matmul(q, keysAsColumns, products);
    Descriptor scores = graph_.between(dataFloat, all);
    graph_.pointwise(multiply, dataFloat, {products, scale}, scores);
    if (s.causal) {
        const Descriptor query = graph_.between(dataInt32, all);
        const Descriptor key = graph_.between(dataInt32, all);
        const Descriptor visible = graph_.between(dataBoolean, all);
        const Descriptor masked = graph_.between(dataFloat, all);
        graph_.pointwise(generateIndex, dataFloat, {scores}, query, 2);
        graph_.pointwise(generateIndex, dataFloat, {scores}, key, 3);
        graph_.pointwise(compareGreaterEqual, dataBoolean, {query, key}, visible);
        graph_.pointwise(select, dataFloat, {scores, graph_.scalar(idHidden, dataFloat), visible}, masked);
        scores = masked;
    }
    const Descriptor largest = graph_.between(dataFloat, row);
    const Descriptor shifted = graph_.between(dataFloat, all);
    const Descriptor powers = graph_.between(dataFloat, all);
    const Descriptor sums = graph_.between(dataFloat, row);
    const Descriptor logSums = graph_.between(dataFloat, row);
    const Descriptor weights = graph_.between(type, all);
    graph_.reduction(reduceMax, scores, largest);
    graph_.pointwise(subtract, dataFloat, {scores, largest}, shifted);
    graph_.pointwise(exponential, dataFloat, {shifted}, powers);
    graph_.reduction(reduceAdd, powers, sums);
    // Nobody reads the log-sum-exp, but cuDNN knows its flash kernels by it: without it the graph counts as the older fused attention,
    // which takes neither masks nor more than 512 keys.
    graph_.pointwise(logarithm, dataFloat, {sums}, logSums);
    graph_.pointwise(add, dataFloat, {largest, logSums}, graph_.between(dataFloat, row));
    graph_.pointwise(divide, dataFloat, {powers, sums}, weights);
    graph_.matmul(weights, v, o);
}

Status Attention::bind(void* q, void* k, void* v, void* o, void* workspace)
{
    std::vector<std::int64_t> ids{idQ, idK, idV, idO, idScale};
    std::vector<void*> addresses{q, k, v, o, &scale_};
    if (causal_) { // cuDNN refuses an address that no tensor of the graph asks for
        ids.push_back(idHidden);
        addresses.push_back(&hidden_);
    }
    graph_.bind(ids, addresses, workspace);
    return graph_.status();
}

} // namespace kl::inline live::cudnn
