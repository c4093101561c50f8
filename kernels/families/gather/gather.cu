// SPDX-License-Identifier: MIT
// n look-ups in a table of t floats, nearest element: (position + offset) * scale is the place in the table.
// A thread takes four, whose loads are on their way together.

__device__ float lookUp(const float* table, float position, float offset, float scale, int t)
{
    const int i = static_cast<int>((position + offset) * scale);
    return table[min(max(i, 0), t - 1)];
}

// Whether neighbors read neighbors is the positions' doing.
extern "C" __global__ void gather(const float* positions, const float* table, float* out, int n, int t, float offset, float scale)
{
    constexpr int kEach = 4;
    const int first = blockIdx.x * blockDim.x * kEach + threadIdx.x;
    float found[kEach];
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        const int i = first + k * blockDim.x;
        found[k] = i < n ? positions[i] : 0.0f;
    }
#pragma unroll
    for (int k = 0; k < kEach; ++k)
        found[k] = lookUp(table, found[k], offset, scale, t);
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        const int i = first + k * blockDim.x;
        if (i < n)
            out[i] = found[k];
    }
}
