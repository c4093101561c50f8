// SPDX-License-Identifier: MIT
// Kernels around shared memory: bank conflicts, bandwidth, shuffles, barriers.

// Every thread sums `stride` apart: with 32 floats, all lanes of a warp read one bank.
extern "C" __global__ void strided_sums(float* out, int stride, int times)
{
    extern __shared__ float data[];
    for (int i = threadIdx.x; i < 256 * stride; i += 256)
        data[i] = i;
    __syncthreads();
    float sum = 0;
    for (int t = 0; t < times; ++t)
#pragma unroll 8
        for (int k = 0; k < stride; ++k) {
            float v;
            asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"((unsigned)__cvta_generic_to_shared(data + threadIdx.x * stride + k)));
            sum += v;
        }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// A matrix transposed through a tile without padding: reading a column of the tile is 32 lanes on one bank.
extern "C" __global__ void transpose_unpadded(const float* in, float* out, int n)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * (long long)n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * (long long)n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Each thread counts into 32 bins of its own, laid out thread by thread: the bin is the bank, and most values fall into one.
extern "C" __global__ void private_counts(const unsigned char* in, int* out, int each)
{
    extern __shared__ int bins[];
    int* own = bins + threadIdx.x * 32;
    for (int k = 0; k < 32; ++k)
        own[k] = 0;
    const uint4* mine = (const uint4*)in + blockIdx.x * 256ll * each + threadIdx.x;
    for (int k = 0; k < each; ++k) {
        const uint4 v = mine[k * 256ll];
        const unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int w = 0; w < 4; ++w)
#pragma unroll
            for (int b = 0; b < 32; b += 8)
                ++own[words[w] >> b & 31];
    }
    int sum = 0;
    for (int k = 0; k < 32; ++k)
        sum += k * own[k];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Rows of 64 complex numbers, combined column by column, each thread in a row of its own.
extern "C" __global__ void column_filter(float2* out, int times)
{
    __shared__ float2 rows[64][64];
    for (int i = threadIdx.x; i < 64 * 64; i += 64)
        rows[i / 64][i % 64] = make_float2(i, -i);
    __syncthreads();
    for (int t = 0; t < times; ++t)
        for (int k = 1; k < 64; ++k) {
            const float2 a = rows[threadIdx.x][k - 1], b = rows[threadIdx.x][k];
            rows[threadIdx.x][k] = make_float2(0.5f * (a.x + b.x), 0.5f * (a.y + b.y));
        }
    out[blockIdx.x * 64 + threadIdx.x] = rows[threadIdx.x][63];
}

// Conflict-free: each lane reads its own bank, one addition per load.
extern "C" __global__ void shared_sums(float* out, int times)
{
    __shared__ float data[4096];
    for (int i = threadIdx.x; i < 4096; i += 256)
        data[i] = i;
    __syncthreads();
    float sum = 0;
    for (int t = 0; t < times; ++t)
#pragma unroll
        for (int i = 0; i < 4096; i += 256) {
            float v;
            asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"((unsigned)__cvta_generic_to_shared(data + i + threadIdx.x)));
            sum += v;
        }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

extern "C" __global__ void gemm_tiled(const float* a, const float* b, float* c, int n)
{
    __shared__ float left[32][32], right[32][32];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k += 32) {
        left[threadIdx.y][threadIdx.x] = a[y * (long long)n + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * (long long)n + x];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    c[y * (long long)n + x] = sum;
}

extern "C" __global__ void butterflies(const float* in, float* out, int times)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    float x = in[i];
    for (int t = 0; t < times; ++t)
#pragma unroll
        for (int lane = 16; lane > 0; lane >>= 1)
            x = 0.5f * x + __shfl_xor_sync(0xffffffffu, x, lane);
    out[i] = x;
}

extern "C" __global__ void warp_scans(const float* in, float* out, int times)
{
    const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x & 31;
    float x = in[i];
    for (int t = 0; t < times; ++t) {
#pragma unroll
        for (int by = 1; by < 32; by <<= 1) {
            const float below = __shfl_up_sync(0xffffffffu, x, by);
            x += lane >= by ? below : 0.0f;
        }
        x *= 0.03f;
    }
    out[i] = x;
}

extern "C" __global__ void rotate_lanes(const int* in, int* out, int times)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    int x = in[i], y = x + 1;
    for (int t = 0; t < times; ++t) {
        x += __shfl_sync(0xffffffffu, y, threadIdx.x + 1);
        y += __shfl_sync(0xffffffffu, x, threadIdx.x + 7);
    }
    out[i] = x + y;
}

// A tree reduction per round: ten steps with a barrier each, half of the threads of a step idle in the next.
extern "C" __global__ void tree_sums(const float* in, float* out, int times)
{
    __shared__ float data[1024];
    float total = 0;
    for (int t = 0; t < times; ++t) {
        data[threadIdx.x] = in[blockIdx.x * 1024 + threadIdx.x] + t;
        __syncthreads();
        for (int half = 512; half > 0; half >>= 1) {
            if (threadIdx.x < half)
                data[threadIdx.x] += data[threadIdx.x + half];
            __syncthreads();
        }
        total += data[0];
        __syncthreads();
    }
    out[blockIdx.x * 1024 + threadIdx.x] = total;
}

// One thread of the block combines what all have made, while the others wait.
extern "C" __global__ void one_thread_combines(const float* in, float* out, int times)
{
    __shared__ float data[256];
    __shared__ float total;
    float x = in[blockIdx.x * 256 + threadIdx.x];
    for (int t = 0; t < times; ++t) {
        data[threadIdx.x] = x;
        __syncthreads();
        if (threadIdx.x == 0) {
            float sum = 0;
            for (int k = 0; k < 256; ++k)
                sum = sum * 0.5f + data[k];
            total = sum;
        }
        __syncthreads();
        x += total;
    }
    out[blockIdx.x * 256 + threadIdx.x] = x;
}

// The warps of a block take turns, each continuing from what the one before has made.
extern "C" __global__ void take_turns(const float* in, float* out, int times)
{
    __shared__ float handed[32];
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    float x = in[blockIdx.x * 512 + threadIdx.x];
    if (warp == 0)
        handed[lane] = x;
    for (int t = 0; t < times; ++t)
        for (int turn = 0; turn < 16; ++turn) {
            __syncthreads();
            if (warp == turn) {
                float y = handed[lane];
#pragma unroll 1
                for (int k = 0; k < 200; ++k)
                    y = y * 0.5f + x;
                handed[lane] = y;
            }
        }
    __syncthreads();
    out[blockIdx.x * 512 + threadIdx.x] = handed[lane];
}

// The first warp scans what 32 warps have made, one element after another, while the others wait.
extern "C" __global__ void leader_scans(const float* in, float* out, int times)
{
    __shared__ float data[1024];
    float x = in[blockIdx.x * 1024 + threadIdx.x];
    for (int t = 0; t < times; ++t) {
        data[threadIdx.x] = x;
        __syncthreads();
        if (threadIdx.x < 32) {
            float sum = 0;
#pragma unroll 1
            for (int k = threadIdx.x; k < 1024; k += 32) {
                sum = sum * 0.5f + data[k];
                data[k] = sum;
            }
        }
        __syncthreads();
        x = data[threadIdx.x ^ 1];
    }
    out[blockIdx.x * 1024 + threadIdx.x] = x;
}
