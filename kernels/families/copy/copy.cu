// SPDX-License-Identifier: MIT
// Copy of n floats, from the worst access pattern to the best.

// Neighboring threads touch addresses 128 bytes apart: each of a warp's 32 accesses needs a sector of its own.
extern "C" __global__ void copy_strided(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int rows = n / 32;
    if (i >= n)
        return;
    const int j = i < rows * 32 ? (i % rows) * 32 + i / rows : i;
    out[j] = in[j];
}

extern "C" __global__ void copy_coalesced(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

// 16 bytes per thread and access; the last n % 4 elements go one by one.
extern "C" __global__ void copy_vector(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int quads = n / 4;
    if (i < quads)
        reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
    else if (i < quads + n % 4)
        out[quads * 4 + i - quads] = in[quads * 4 + i - quads];
}
