// SPDX-License-Identifier: MIT
// Attention forward, FP16, head dimension 64: a block per query row, as one would write it first.
#include <cuda_fp16.h>

constexpr int kDim = 64;
constexpr int kThreads = 128;

__device__ float reduce(float value, float* scratch, bool sum)
{
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const float other = scratch[threadIdx.x + half];
            scratch[threadIdx.x] = sum ? scratch[threadIdx.x] + other : fmaxf(scratch[threadIdx.x], other);
        }
        __syncthreads();
    }
    const float result = scratch[0];
    __syncthreads();
    return result;
}

__global__ void attention_forward(const __half* q, const __half* k, const __half* v, __half* out, int length, float scale)
{
    extern __shared__ float scores[];
    __shared__ float scratch[kThreads];
    const size_t head = static_cast<size_t>(blockIdx.y) * length * kDim;
    const __half* query = q + head + static_cast<size_t>(blockIdx.x) * kDim;

    float most = -INFINITY;
    for (int key = threadIdx.x; key < length; key += kThreads) {
        float score = 0;
        for (int d = 0; d < kDim; ++d)
            score += __half2float(query[d]) * __half2float(k[head + static_cast<size_t>(key) * kDim + d]);
        scores[key] = score * scale;
        most = fmaxf(most, scores[key]);
    }
    most = reduce(most, scratch, false);

    float sum = 0;
    for (int key = threadIdx.x; key < length; key += kThreads) {
        scores[key] = expf(scores[key] - most);
        sum += scores[key];
    }
    sum = reduce(sum, scratch, true);

    for (int d = threadIdx.x; d < kDim; d += kThreads) {
        float value = 0;
        for (int key = 0; key < length; ++key)
            value += scores[key] * __half2float(v[head + static_cast<size_t>(key) * kDim + d]);
        out[head + static_cast<size_t>(blockIdx.x) * kDim + d] = __float2half(value / sum);
    }
}

void forward(const void* q, const void* k, const void* v, void* out, int heads, int length, cudaStream_t stream)
{
    const auto halves = [](const void* pointer) { return static_cast<const __half*>(pointer); };
    attention_forward<<<dim3(length, heads), kThreads, length * sizeof(float), stream>>>(halves(q), halves(k), halves(v),
                                                                                         static_cast<__half*>(out), length, 0.125F);
}
