// SPDX-License-Identifier: MIT
// Marks both streams evict_first.
#include "scale.cuh"

extern "C" __global__ void scale(const float* x, float* y, int n)
{
    const int first = blockIdx.x * 1024 + threadIdx.x * 4;
    if (first + 3 >= n) {
        scaleTile(x, y, n, blockIdx.x);
        return;
    }
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    float4 v;
    asm volatile("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(x + first), "l"(policy));
    __stcs(reinterpret_cast<float4*>(y + first), make_float4(scaled(v.x), scaled(v.y), scaled(v.z), scaled(v.w)));
}
