// SPDX-License-Identifier: MIT
// Attention forward, FP16, head dimension 64: keys and values are loaded 16 bytes at a time, and all threads work on the output.
#include <cuda_fp16.h>

constexpr int kDim = 64;
constexpr int kThreads = 128;
constexpr int kChunks = kDim / 8;           // of 16 bytes in a row
constexpr int kGroups = kThreads / kChunks; // keys that are added up at once

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

__device__ void unpack(const uint4& packed, float* values)
{
    const __half2* pairs = reinterpret_cast<const __half2*>(&packed);
    for (int i = 0; i < 4; ++i) {
        const float2 pair = __half22float2(pairs[i]);
        values[2 * i] = pair.x;
        values[2 * i + 1] = pair.y;
    }
}

__global__ void attention_forward(const __half* q, const __half* k, const __half* v, __half* out, int length, float scale)
{
    extern __shared__ float scores[];
    __shared__ float scratch[kThreads];
    __shared__ float query[kDim];
    __shared__ float partial[kGroups][kDim];
    const size_t head = static_cast<size_t>(blockIdx.y) * length * kDim;
    if (threadIdx.x < kDim)
        query[threadIdx.x] = __half2float(q[head + static_cast<size_t>(blockIdx.x) * kDim + threadIdx.x]);
    __syncthreads();

    float most = -INFINITY;
    for (int key = threadIdx.x; key < length; key += kThreads) {
        const uint4* row = reinterpret_cast<const uint4*>(k + head + static_cast<size_t>(key) * kDim);
        float score = 0;
        for (int chunk = 0; chunk < kChunks; ++chunk) {
            float values[8];
            unpack(row[chunk], values);
            for (int i = 0; i < 8; ++i)
                score += query[chunk * 8 + i] * values[i];
        }
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

    const int chunk = threadIdx.x % kChunks;
    const int group = threadIdx.x / kChunks;
    float values[8] = {};
    for (int key = group; key < length; key += kGroups) {
        float loaded[8];
        unpack(reinterpret_cast<const uint4*>(v + head + static_cast<size_t>(key) * kDim)[chunk], loaded);
        for (int i = 0; i < 8; ++i)
            values[i] += scores[key] * loaded[i];
    }
    for (int i = 0; i < 8; ++i)
        partial[group][chunk * 8 + i] = values[i];
    __syncthreads();
    for (int d = threadIdx.x; d < kDim; d += kThreads) {
        float value = 0;
        for (int other = 0; other < kGroups; ++other)
            value += partial[other][d];
        out[head + static_cast<size_t>(blockIdx.x) * kDim + d] = __float2half(value / sum);
    }
}

void forward(const void* q, const void* k, const void* v, void* out, int heads, int length, cudaStream_t stream)
{
    const auto halves = [](const void* pointer) { return static_cast<const __half*>(pointer); };
    attention_forward<<<dim3(length, heads), kThreads, length * sizeof(float), stream>>>(halves(q), halves(k), halves(v),
                                                                                         static_cast<__half*>(out), length, 0.125F);
}
