// SPDX-License-Identifier: MIT
// A filter of 32 taps down the columns of a matrix of `rows` x `cols` floats, rows wrapped around: out[r][c] = sum of w_j in[(r + j) % rows][c].
// The matrix fits L2, a row of it does not fit L1.

constexpr int kTaps = 32;

__device__ constexpr float weight(int j)
{
    return 1.0f / static_cast<float>(j + 1);
}

// One output a thread: 32 rows are fetched from L2 for it, and nothing of them is there when the next row needs them again.
extern "C" __global__ void sweep_each(const float* __restrict__ in, float* out, int rows, int cols)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = blockIdx.y;
    if (c >= cols)
        return;
    float sum = 0.0f;
    int from = r;
#pragma unroll
    for (int j = 0; j < kTaps; ++j) {
        sum = fmaf(weight(j), in[from * cols + c], sum);
        from = from + 1 == rows ? 0 : from + 1;
    }
    out[r * cols + c] = sum;
}

__device__ void addScaled(float4& sum, float w, float4 x)
{
    sum.x = fmaf(w, x.x, sum.x);
    sum.y = fmaf(w, x.y, sum.y);
    sum.z = fmaf(w, x.z, sum.z);
    sum.w = fmaf(w, x.w, sum.w);
}

// Four outputs per thread, 16 bytes per load: a quarter of the instructions for the same bytes. cols is a multiple of 4.
extern "C" __global__ void sweep_vector(const float4* __restrict__ in, float4* out, int rows, int cols)
{
    const int quads = cols / 4;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = blockIdx.y;
    if (c >= quads)
        return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    int from = r;
#pragma unroll
    for (int j = 0; j < kTaps; ++j) {
        addScaled(sum, weight(j), in[from * quads + c]);
        from = from + 1 == rows ? 0 : from + 1;
    }
    out[r * quads + c] = sum;
}

// A thread computes kHeld outputs of its column: each of the kHeld + 31 inputs is fetched once and goes into all sums that need it.
extern "C" __global__ void sweep_held(const float* __restrict__ in, float* out, int rows, int cols)
{
    constexpr int kHeld = 16;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = blockIdx.y * kHeld;
    if (c >= cols)
        return;
    float sum[kHeld] = {};
    int from = first;
#pragma unroll
    for (int i = 0; i < kHeld + kTaps - 1; ++i) {
        const float x = in[from * cols + c];
        from = from + 1 == rows ? 0 : from + 1;
#pragma unroll
        for (int o = 0; o < kHeld; ++o)
            if (i - o >= 0 && i - o < kTaps)
                sum[o] = fmaf(weight(i - o), x, sum[o]);
    }
#pragma unroll
    for (int o = 0; o < kHeld; ++o)
        if (first + o < rows)
            out[(first + o) * cols + c] = sum[o];
}
