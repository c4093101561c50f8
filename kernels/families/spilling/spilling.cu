// SPDX-License-Identifier: MIT
// A linear transform of n vectors of 32 floats, y = W x, stored element by element: in[j * n + i] is element j of vector i.
// One thread a vector.

constexpr int kLength = 32;

/// W[k][j]: a dense matrix whose columns repeat after two, so that a loop over pairs of columns has the weights in its instructions.
__host__ __device__ constexpr float weight(int k, int j)
{
    return static_cast<float>((k * 5 + j % 2 * 3) % 17 - 8) * 0.0625f;
}

struct Weights {
    float at[kLength][kLength];
    constexpr Weights() : at()
    {
        for (int k = 0; k < kLength; ++k)
            for (int j = 0; j < kLength; ++j)
                at[k][j] = weight(k, j);
    }
};
__constant__ Weights kWeights = Weights();

// x is indexed at run time: it cannot live in registers, every use of it goes to local memory.
extern "C" __global__ void transform_local_array(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x[kLength];
#pragma unroll 1
    for (int j = 0; j < kLength; ++j)
        x[j] = in[j * n + i];
#pragma unroll 1
    for (int k = 0; k < kLength; ++k) {
        float sum = 0.0f;
#pragma unroll 4
        for (int j = 0; j < kLength; ++j)
            sum = fmaf(kWeights.at[k][j], x[j], sum);
        out[k * n + i] = sum;
    }
}

// The sums over all pairs of inputs stay alive: 32 registers and a few more. A variant compiles this with too few for them.
extern "C" __global__ void transform_unrolled(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum[kLength] = {};
#pragma unroll 1
    for (int j = 0; j < kLength; j += 2) {
        const float even = in[j * n + i];
        const float odd = in[(j + 1) * n + i];
#pragma unroll
        for (int k = 0; k < kLength; ++k)
            sum[k] = fmaf(weight(k, 1), odd, fmaf(weight(k, 0), even, sum[k]));
    }
#pragma unroll
    for (int k = 0; k < kLength; ++k)
        out[k * n + i] = sum[k];
}
