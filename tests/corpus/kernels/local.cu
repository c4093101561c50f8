// SPDX-License-Identifier: MIT
// Kernels that keep arrays in local memory, because an index is not known at compile time or registers are too few.

// Sorts 64 values per thread in an array of its own, by insertion.
extern "C" __global__ void sort_in_thread(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float own[64];
#pragma unroll 1
    for (int k = 0; k < 64; ++k) {
        const float value = in[k * (long long)n + i];
        int at = k;
#pragma unroll 1
        for (; at > 0 && own[at - 1] > value; --at)
            own[at] = own[at - 1];
        own[at] = value;
    }
    out[i] = own[32];
}

// Counts the letters of a thread's text in an array of its own.
extern "C" __global__ void letter_counts(const unsigned* in, int* out, int n, int words)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int counts[64] = {};
    unsigned state = in[i];
    for (int k = 0; k < words; ++k) {
        state = state * 1664525u + 1013904223u;
        ++counts[state >> 26];
    }
    int most = 0;
    for (int k = 0; k < 64; ++k)
        most = max(most, counts[k]);
    out[i] = most;
}

// A queue of 128 numbers per thread, walked in an order that data gives.
extern "C" __global__ void permute_in_thread(const unsigned* in, float* out, int steps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float own[128];
    for (int k = 0; k < 128; ++k)
        own[k] = i + k;
    unsigned state = in[i];
    for (int k = 0; k < steps; ++k) {
        state = state * 1664525u + 1013904223u;
        const int a = state >> 25, b = state >> 18 & 127;
        const float held = own[a];
        own[a] = own[b] + 1.0f;
        own[b] = held;
    }
    out[i] = own[state & 127];
}

// 96 sums per thread where __launch_bounds__ leaves 32 registers.
extern "C" __global__ void __launch_bounds__(1024, 2) many_sums(const float* in, float* out, int steps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sums[96];
#pragma unroll
    for (int k = 0; k < 96; ++k)
        sums[k] = in[i] + k;
    for (int s = 0; s < steps; ++s)
#pragma unroll
        for (int k = 0; k < 96; ++k)
            sums[k] = sums[k] * 0.999f + sums[(k + 1) % 96];
    float total = 0;
#pragma unroll
    for (int k = 0; k < 96; ++k)
        total += sums[k];
    out[i] = total;
}

// Solves a 16×16 system per thread, with a pivot that is found at run time.
extern "C" __global__ void solve_in_thread(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float m[16][17];
    for (int r = 0; r < 16; ++r)
        for (int c = 0; c < 17; ++c)
            m[r][c] = __sinf(in[i] + r * 17 + c * c);
#pragma unroll 1
    for (int p = 0; p < 16; ++p) {
        int best = p;
        for (int r = p + 1; r < 16; ++r)
            best = fabsf(m[r][p]) > fabsf(m[best][p]) ? r : best;
#pragma unroll 1
        for (int c = 0; c < 17; ++c) {
            const float held = m[p][c];
            m[p][c] = m[best][c];
            m[best][c] = held;
        }
        const float inverse = __fdividef(1.0f, m[p][p]);
#pragma unroll 1
        for (int r = p + 1; r < 16; ++r) {
            const float factor = m[r][p] * inverse;
#pragma unroll 1
            for (int c = p; c < 17; ++c)
                m[r][c] -= factor * m[p][c];
        }
    }
    out[i] = m[15][16] / m[15][15];
}
