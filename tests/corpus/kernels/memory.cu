// SPDX-License-Identifier: MIT
// Kernels that move data, as users write them: streams, strides, structures, indices, lists.

extern "C" __global__ void triad(const float* a, const float* b, float* c, float s, long long n)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + s * b[i];
}

extern "C" __global__ void copy4(const float4* in, float4* out, long long n)
{
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        out[i] = in[i];
}

// Reads one element beside its own: a warp's load spans five sectors instead of four, of which neighbors use the rest.
extern "C" __global__ void shifted(const float* in, float* out, long long n)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i + 1 < n)
        out[i] = in[i + 1];
}

extern "C" __global__ void stencil5(const float* in, float* out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    const long long i = y * (long long)width + x;
    out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

extern "C" __global__ void strided_read(const float* in, float* out, long long n, int stride)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i * stride];
}

extern "C" __global__ void strided_write(const float* in, float* out, long long n, int stride)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        out[i * stride] = in[i];
}

struct Particle {
    float x, y, z, mass, vx, vy, vz, charge, spare[8];
};

extern "C" __global__ void masses(const Particle* particles, float* out, long long n)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = particles[i].mass;
}

extern "C" __global__ void move_particles(Particle* particles, float dt, long long n)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        particles[i].x += dt * particles[i].vx;
}

// One thread per row of a row-major matrix.
extern "C" __global__ void row_sums(const float* in, float* out, int rows, int columns)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int c = 0; c < columns; ++c)
        sum += in[row * (long long)columns + c];
    out[row] = sum;
}

// One thread per column of a row-major matrix, for a part of the rows.
extern "C" __global__ void column_sums(const float* in, float* out, int rows, int columns, int part)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int r = blockIdx.y * part; r < min(rows, (blockIdx.y + 1) * part); ++r)
        sum += in[r * (long long)columns + column];
    out[blockIdx.y * (long long)columns + column] = sum;
}

extern "C" __global__ void transpose_naive(const float* in, float* out, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[x * (long long)n + y] = in[y * (long long)n + x];
}

extern "C" __global__ void transpose_tiled(const float* in, float* out, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * (long long)n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * (long long)n + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void gather(const float* table, const int* index, float* out, long long n)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[index[i]];
}

extern "C" __global__ void scatter(const float* in, const int* index, float* table, long long n)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        table[index[i]] = in[i];
}

// A list of nodes of 32 words, each holding the number of the next node in every word. A warp follows a list of its own.
extern "C" __global__ void make_list(unsigned* nodes, unsigned mask)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    nodes[i] = ((unsigned)(i >> 5) * 1664525u + 1013904223u) & mask; // a full period for a power of two
}

extern "C" __global__ void walk(const unsigned* nodes, unsigned* out, unsigned mask, int steps)
{
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    unsigned at = (warp * 2654435761u) & mask;
    for (int s = 0; s < steps; ++s)
        at = __ldg(nodes + at * 32ull);
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

extern "C" __global__ void walk_lines(const unsigned* nodes, unsigned* out, unsigned mask, int steps)
{
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    unsigned at = (warp * 2654435761u) & mask;
    for (int s = 0; s < steps; ++s)
        at = __ldg(nodes + at * 32ull + (threadIdx.x & 31));
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

// Every block reads the whole array, `times` times, past L1.
extern "C" __global__ void __launch_bounds__(1024, 2) read_all(const float4* in, float* out, int n, int times)
{
    float sum = 0;
    for (int t = 0; t < times; ++t) {
        const int first = (int)((blockIdx.x * 7919ll + t * 104729ll) % n);
#pragma unroll 4
        for (int k = threadIdx.x; k < n; k += blockDim.x) {
            int i = first + k;
            i -= i >= n ? n : 0;
            const float4 v = __ldcg(in + i);
            sum += v.x + v.y + v.z + v.w;
        }
    }
    if (sum == 12345.678f)
        out[blockIdx.x] = sum;
}

// The whole grid passes over an array that fits in L2, reading and writing, `times` times.
extern "C" __global__ void relax(float4* data, long long n, int times)
{
    for (int t = 0; t < times; ++t)
        for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
            float4 v = __ldcg(data + i);
            v.x *= 0.5f;
            v.y *= 0.5f;
            v.z *= 0.5f;
            v.w *= 0.5f;
            __stcg(data + i, v);
        }
}

// Every block reads its own 16 KB again and again: they stay in L1.
extern "C" __global__ void __launch_bounds__(256, 8) reread(const float* in, float* out, int times)
{
    const float* own = in + blockIdx.x * 4096ll;
    float sum = 0;
    for (int t = 0; t < times; ++t)
#pragma unroll 4
        for (int i = threadIdx.x; i < 4096; i += 256) {
            float v;
            asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(own + i));
            sum += v;
        }
    if (sum == 12345.678f)
        out[blockIdx.x] = sum;
}

// One thread per output, rows and columns straight from global memory.
extern "C" __global__ void gemm_naive(const float* a, const float* b, float* c, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[y * (long long)n + k] * b[k * (long long)n + x];
    c[y * (long long)n + x] = sum;
}
