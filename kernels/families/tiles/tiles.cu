// SPDX-License-Identifier: MIT
// The multiply-add chain y = 0.999 x + 0.001, `iters` times, on n floats that blocks of 1,024 threads take in tiles. How many tiles there
// are, and so how the blocks fall into waves, is the launch's choice.

extern "C" __global__ void __launch_bounds__(1024) chain_of_tile(const float* in, float* out, int n, int tile, int iters)
{
    const long long begin = static_cast<long long>(blockIdx.x) * tile;
    const long long end = min(begin + tile, static_cast<long long>(n));
    for (long long i = begin + threadIdx.x; i < end; i += blockDim.x) {
        float x = in[i];
#pragma unroll 16
        for (int k = 0; k < iters; ++k)
            x = fmaf(x, 0.999f, 0.001f);
        out[i] = x;
    }
}
