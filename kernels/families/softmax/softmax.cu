// SPDX-License-Identifier: MIT
// Softmax of each row of a matrix of `rows` x `cols` floats: exp(x - max) / sum. One warp a row in every variant.

#ifndef HELD
#define HELD 32 // values that a lane keeps: cols / 32, rounded up
#endif

constexpr unsigned kFullWarp = 0xffffffffu;
constexpr float kLowest = -3.402823466e38f;

__device__ float warpMax(float value)
{
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        value = fmaxf(value, __shfl_xor_sync(kFullWarp, value, offset));
    return value;
}

__device__ float warpSum(float value)
{
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(kFullWarp, value, offset);
    return value;
}

__device__ int rowOfWarp()
{
    return (blockIdx.x * blockDim.x + threadIdx.x) / 32;
}

// Each lane takes a contiguous part of the row, so that neighbors read cols / 32 floats apart: a sector for every 4 bytes.
extern "C" __global__ void softmax_parts(const float* in, float* out, int rows, int cols)
{
    const int row = rowOfWarp();
    if (row >= rows)
        return;
    const int part = (cols + 31) / 32;
    const int first = min(static_cast<int>(threadIdx.x % 32) * part, cols);
    const int last = min(first + part, cols);
    const float* x = in + static_cast<long long>(row) * cols;
    float* y = out + static_cast<long long>(row) * cols;
    float most = kLowest;
    for (int c = first; c < last; ++c)
        most = fmaxf(most, x[c]);
    most = warpMax(most);
    float sum = 0.0f;
    for (int c = first; c < last; ++c)
        sum += __expf(x[c] - most);
    sum = warpSum(sum);
    for (int c = first; c < last; ++c)
        y[c] = __expf(x[c] - most) / sum;
}

// Three kernels, a pass over the whole matrix each: maxima, sums, results.
extern "C" __global__ void softmax_max(const float* in, float* maxima, int rows, int cols)
{
    const int row = rowOfWarp();
    if (row >= rows)
        return;
    const float* x = in + static_cast<long long>(row) * cols;
    float most = kLowest;
#pragma unroll 8
    for (int c = threadIdx.x % 32; c < cols; c += 32)
        most = fmaxf(most, x[c]);
    most = warpMax(most);
    if (threadIdx.x % 32 == 0)
        maxima[row] = most;
}

extern "C" __global__ void softmax_sum(const float* in, const float* maxima, float* sums, int rows, int cols)
{
    const int row = rowOfWarp();
    if (row >= rows)
        return;
    const float* x = in + static_cast<long long>(row) * cols;
    const float most = maxima[row];
    float sum = 0.0f;
#pragma unroll 8
    for (int c = threadIdx.x % 32; c < cols; c += 32)
        sum += __expf(x[c] - most);
    sum = warpSum(sum);
    if (threadIdx.x % 32 == 0)
        sums[row] = sum;
}

extern "C" __global__ void softmax_divide(const float* __restrict__ in, const float* maxima, const float* sums, float* __restrict__ out,
                                          int rows, int cols)
{
    const int row = rowOfWarp();
    if (row >= rows)
        return;
    const float* x = in + static_cast<long long>(row) * cols;
    float* y = out + static_cast<long long>(row) * cols;
    const float most = maxima[row];
    const float scale = 1.0f / sums[row];
#pragma unroll 8
    for (int c = threadIdx.x % 32; c < cols; c += 32)
        y[c] = __expf(x[c] - most) * scale;
}

// Maximum and sum in one pass: when the maximum grows, the sum so far shrinks. A second pass writes.
extern "C" __global__ void softmax_online(const float* __restrict__ in, float* __restrict__ out, int rows, int cols)
{
    const int row = rowOfWarp();
    if (row >= rows)
        return;
    const float* x = in + static_cast<long long>(row) * cols;
    float* y = out + static_cast<long long>(row) * cols;
    float most = kLowest;
    float sum = 0.0f;
#pragma unroll 8
    for (int c = threadIdx.x % 32; c < cols; c += 32) {
        const float value = x[c];
        const float next = fmaxf(most, value);
        sum = sum * __expf(most - next) + __expf(value - next);
        most = next;
    }
    const float all = warpMax(most);
    sum = warpSum(most == kLowest ? 0.0f : sum * __expf(most - all));
    const float scale = 1.0f / sum;
#pragma unroll 8
    for (int c = threadIdx.x % 32; c < cols; c += 32)
        y[c] = __expf(x[c] - all) * scale;
}

// The row stays in registers: every byte is read once and written once.
extern "C" __global__ void softmax_registers(const float* __restrict__ in, float* __restrict__ out, int rows, int cols)
{
    const int row = rowOfWarp();
    if (row >= rows)
        return;
    const int lane = threadIdx.x % 32;
    const float* x = in + static_cast<long long>(row) * cols;
    float* y = out + static_cast<long long>(row) * cols;
    float held[HELD];
    float most = kLowest;
#pragma unroll
    for (int h = 0; h < HELD; ++h)
        held[h] = h * 32 + lane < cols ? x[h * 32 + lane] : kLowest;
#pragma unroll
    for (int h = 0; h < HELD; ++h)
        most = fmaxf(most, held[h]);
    most = warpMax(most);
    float sum = 0.0f;
#pragma unroll
    for (int h = 0; h < HELD; ++h) {
        held[h] = __expf(held[h] - most);
        sum += held[h];
    }
    const float scale = 1.0f / warpSum(sum);
#pragma unroll
    for (int h = 0; h < HELD; ++h)
        if (h * 32 + lane < cols)
            y[h * 32 + lane] = held[h] * scale;
}
