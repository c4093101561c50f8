// SPDX-License-Identifier: MIT
// Kernels whose lanes take different ways.

// Each thread runs a program of its own: the operation of a step comes from a hash of thread and step.
extern "C" __global__ void interpret(const int* seeds, float* out, int steps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = seeds[i];
    float x = 1.5f, y = 0.5f;
    for (int k = 0; k < steps; ++k) {
        state = state * 1664525u + 1013904223u;
        switch (state >> 28) {
        case 0: x = x * y + 0.25f; x = x * x + y; x = x * 0.5f + y; break;
        case 1: y = y * 0.5f + x; y = y * y + 0.125f; y = y * x + 0.5f; break;
        case 2: x = fabsf(x - y) * 0.75f; x = x * x + 0.1f; y = y - x; break;
        case 3: y = x / (y * y + 1.0f); break;
        case 4: x = sqrtf(x * x + y * y); break;
        case 5: x = fminf(x, 2.0f) * y; y = y + x * 0.3f; x = x - y * 0.1f; break;
        case 6: y = fmaxf(y, -2.0f) * x; x = x + y * 0.2f; y = y * 0.9f + x; break;
        case 7: x = x - truncf(x); y = y - truncf(y); x = x + y * y; break;
        case 8: x = x * 0.1f + y * 0.9f; y = y * 0.1f + x * 0.9f; break;
        case 9: y = __expf(-fabsf(x)); break;
        case 10: x = __logf(fabsf(y) + 1.0f); break;
        case 11: x = __sinf(x); y = __cosf(y); break;
        case 12: { const float z = x; x = y * 1.1f; y = z * 0.9f + x; break; }
        case 13: x = x > y ? x * 0.5f : y * 0.5f; y = y + x; x = x * x; break;
        case 14: y = rsqrtf(fabsf(x) + 0.1f); x = x * y; break;
        default: x = x * x * 0.01f + y; y = y * y * 0.01f + x; break;
        }
    }
    out[i] = x + y;
}

__device__ float work(float x, int steps)
{
    float y = x + 1.0f;
#pragma unroll 1
    for (int k = 0; k < steps; ++k) {
        x = x * 0.75f + y;
        y = y * 0.5f - x;
    }
    return x + y;
}

extern "C" __global__ void random_trips(const int* seeds, float* out, int most)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned hash = seeds[i] * 2654435761u;
    out[i] = work(i, min(most, 8 << 2 * min(5, __clz(hash)))); // 8 for half of the lanes, 4096 for one of 32
}

extern "C" __global__ void one_lane(const int* seeds, float* out, int steps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((threadIdx.x & 31) == 0)
        out[i] = work(seeds[i], steps);
}

extern "C" __global__ void escape_times(const int* seeds, float* out, int most)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned hash = seeds[i] * 2654435761u;
    const float cx = (hash & 0xffffu) * (3.0f / 65536.0f) - 2.2f, cy = (hash >> 16) * (3.0f / 65536.0f) - 1.5f;
    float x = 0, y = 0;
    int step = 0;
    for (; step < most && x * x + y * y < 4.0f; ++step) {
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
    }
    out[i] = step;
}

template <int Kind> __device__ float kindOf(float x, int steps)
{
    float y = x * Kind;
#pragma unroll 1
    for (int k = 0; k < steps; ++k) {
        x = x * (0.5f + 0.01f * Kind) + y;
        y = y * 0.5f - x;
    }
    return x + y;
}

extern "C" __global__ void eight_kinds(const int* seeds, float* out, int steps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = i;
    switch ((seeds[i] * 2654435761u) >> 29) {
    case 0: out[i] = kindOf<1>(x, steps); break;
    case 1: out[i] = kindOf<2>(x, steps + 1); break;
    case 2: out[i] = kindOf<3>(x, steps + 2); break;
    case 3: out[i] = kindOf<4>(x, steps + 3); break;
    case 4: out[i] = kindOf<5>(x, steps + 4); break;
    case 5: out[i] = kindOf<6>(x, steps + 5); break;
    case 6: out[i] = kindOf<7>(x, steps + 6); break;
    default: out[i] = kindOf<8>(x, steps + 7); break;
    }
}
