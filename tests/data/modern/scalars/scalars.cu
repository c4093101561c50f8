// SPDX-License-Identifier: MIT
// 16-bit scalars arrive as their bits.

extern "C" __global__ void added(const long long* x, long long* y, unsigned n, long long a, unsigned long long b, unsigned short half,
                                 unsigned short bfloat)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float fromHalf;
    asm("cvt.f32.f16 %0, %1;" : "=f"(fromHalf) : "h"(half));
    const float fromBfloat = __uint_as_float((unsigned)bfloat << 16);
    const long long more = i % 4 == 0 ? a : i % 4 == 1 ? (long long)b : i % 4 == 2 ? (long long)(2 * fromHalf) : (long long)(2 * fromBfloat);
    y[i] = x[i] + more;
}
