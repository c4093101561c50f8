// SPDX-License-Identifier: MIT
// n look-ups in a table of t floats, nearest element: (position + offset) * scale is the place in the table.
// A thread takes four, whose loads are on their way together.

__device__ float lookUp(const float* table, float position, float offset, float scale, int t)
{
    const int i = static_cast<int>((position + offset) * scale);
    return table[min(max(i, 0), t - 1)];
}

// Whether neighbours read neighbours is the positions' doing.
extern "C" __global__ void gather(const float* positions, const float* table, float* out, int n, int t, float offset, float scale)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int quads = n / 4;
    if (i < quads) {
        const float4 p = reinterpret_cast<const float4*>(positions)[i];
        const float4 found = make_float4(lookUp(table, p.x, offset, scale, t), lookUp(table, p.y, offset, scale, t),
                                         lookUp(table, p.z, offset, scale, t), lookUp(table, p.w, offset, scale, t));
        reinterpret_cast<float4*>(out)[i] = found;
    } else if (i < quads + n % 4) {
        const int last = quads * 4 + i - quads;
        out[last] = lookUp(table, positions[last], offset, scale, t);
    }
}
