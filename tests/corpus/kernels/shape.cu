// SPDX-License-Identifier: MIT
// Kernels whose launch is the matter: few blocks, a wave too many, uneven work, few warps, contended addresses.

__device__ float chain(float x, int steps)
{
    float a = x, b = x + 1.0f, c = x + 2.0f, d = x + 3.0f;
    for (int k = 0; k < steps; ++k) {
        a = a * 0.75f + 0.1f;
        b = b * 0.5f + 0.2f;
        c = c * 0.25f + 0.3f;
        d = d * 0.125f + 0.4f;
    }
    return a + b + c + d;
}

// Equal work in every block, in registers. Dynamic shared memory decides how many blocks fit on an SM.
extern "C" __global__ void equal_work(float* out, int steps)
{
    out[blockIdx.x * (long long)blockDim.x + threadIdx.x] = chain(threadIdx.x, steps);
}

// One block sums everything.
extern "C" __global__ void one_block_sum(const float* in, float* out, int n)
{
    __shared__ float warps[32];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    for (int lane = 16; lane > 0; lane >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, lane);
    if ((threadIdx.x & 31) == 0)
        warps[threadIdx.x >> 5] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (unsigned w = 0; w < blockDim.x / 32; ++w)
            total += warps[w];
        out[blockIdx.x] = total;
    }
}

// A block per row, as many blocks as rows.
extern "C" __global__ void row_per_block(const float* in, float* out, int columns)
{
    const float* row = in + blockIdx.x * (long long)columns;
    float most = -1e30f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        most = fmaxf(most, row[i]);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        out[blockIdx.x * (long long)columns + i] = __expf(row[i] - most);
}

extern "C" __global__ void scale(float* data, float by, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= by;
}

// Block b has (b + 1)² parts of the work of block 0.
extern "C" __global__ void quadratic_work(float* out, int unit)
{
    const int b = blockIdx.x + 1;
    out[blockIdx.x * (long long)blockDim.x + threadIdx.x] = chain(threadIdx.x, (int)((long long)b * b * unit / gridDim.x));
}

// A block per segment; segments lie between consecutive offsets.
extern "C" __global__ void segment_sums(const float* in, const int* offsets, float* out)
{
    float sum = 0;
    for (int i = offsets[blockIdx.x] + threadIdx.x; i < offsets[blockIdx.x + 1]; i += blockDim.x)
        sum += in[i] * in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A warp per row of a sparse matrix.
extern "C" __global__ void sparse_rows(const float* values, const int* columns, const int* offsets, const float* x, float* out, int rows)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = offsets[row] + lane; i < offsets[row + 1]; i += 32)
        sum += values[i] * x[columns[i]];
    for (int step = 16; step > 0; step >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0)
        out[row] = sum;
}

// The first warp of each block has all the work; the block keeps its place until it ends.
extern "C" __global__ void heavy_warp(float* out, int steps)
{
    const bool heavy = threadIdx.x < 32;
    out[blockIdx.x * (long long)blockDim.x + threadIdx.x] = chain(threadIdx.x, heavy ? steps : steps / 64);
}

// Streams with one load under way per thread. Dynamic shared memory decides how many warps there are to hide its latency.
extern "C" __global__ void few_warps(const float* in, float* out, int n)
{
    extern __shared__ float scratch[];
    const int threads = gridDim.x * blockDim.x;
    float sum = 0;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        sum = sum * 0.5f + in[i];
    scratch[threadIdx.x] = sum;
    out[blockIdx.x * blockDim.x + threadIdx.x] = scratch[threadIdx.x];
}

// Dependent steps of arithmetic; few warps leave most issue slots empty.
extern "C" __global__ void few_warps_compute(float* out, int steps)
{
    extern __shared__ float scratch[];
    float x = threadIdx.x;
#pragma unroll 16
    for (int k = 0; k < steps; ++k)
        x = x * 0.75f + 0.1f;
    scratch[threadIdx.x] = x;
    out[blockIdx.x * (long long)blockDim.x + threadIdx.x] = scratch[threadIdx.x];
}

extern "C" __global__ void sum_to_one(const float* in, float* total, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(total, in[i]);
}

extern "C" __global__ void histogram(const unsigned char* in, unsigned* bins, int n, int mask)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(bins + (in[i] & mask), 1u);
}

// Sums of floats by compare and swap, as code did before atomicAdd took floats.
extern "C" __global__ void sum_by_swap(const float* in, int* sums, int n, int mask)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int* place = sums + (i & mask);
    int seen = *(volatile int*)place, tried;
    do {
        tried = seen;
        seen = atomicCAS(place, tried, __float_as_int(__int_as_float(tried) + in[i]));
    } while (seen != tried);
}

// Every thread appends to a list whose end is one counter.
extern "C" __global__ void append(const float* in, float* list, unsigned long long* end, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] >= 0.0f) {
        unsigned long long at;
        asm volatile("atom.global.add.u64 %0, [%1], 1;" : "=l"(at) : "l"(end) : "memory");
        list[at % n] = in[i];
    }
}
