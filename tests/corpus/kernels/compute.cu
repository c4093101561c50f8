// SPDX-License-Identifier: MIT
// Kernels that compute: polynomials, bodies, exponentials, hashes, and mixes that no single pipe limits.

// Four polynomials per thread, `terms` multiply-adds each.
template <class T> __device__ void polynomial(const T* in, T* out, int terms)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const T x = in[i];
    T a = x, b = x + T(1), c = x + T(2), d = x + T(3);
    for (int k = 0; k < terms; ++k) {
        a = a * x + T(0.1);
        b = b * x + T(0.2);
        c = c * x + T(0.3);
        d = d * x + T(0.4);
    }
    out[i] = a + b + c + d;
}
extern "C" __global__ void polynomial_fp32(const float* in, float* out, int terms) { polynomial(in, out, terms); }
extern "C" __global__ void polynomial_fp64(const double* in, double* out, int terms) { polynomial(in, out, terms); }

extern "C" __global__ void bodies_fp32(const float4* bodies, float4* out, int n)
{
    __shared__ float4 tile[256];
    const float4 own = bodies[blockIdx.x * 256 + threadIdx.x];
    float x = 0, y = 0, z = 0;
    for (int first = 0; first < n; first += 256) {
        __syncthreads();
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
#pragma unroll 32
        for (int k = 0; k < 256; ++k) {
            const float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
            const float pull = tile[k].w * inverse * inverse * inverse;
            x += dx * pull;
            y += dy * pull;
            z += dz * pull;
        }
    }
    out[blockIdx.x * 256 + threadIdx.x] = make_float4(x, y, z, 0);
}

struct Body {
    double x, y, z, w;
};

extern "C" __global__ void bodies_fp64(const Body* bodies, Body* out, int n)
{
    __shared__ Body tile[256];
    const Body own = bodies[blockIdx.x * 256 + threadIdx.x];
    double x = 0, y = 0, z = 0;
    for (int first = 0; first < n; first += 256) {
        __syncthreads();
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 256; ++k) {
            const double dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
            const double inverse = rsqrt(dx * dx + dy * dy + dz * dz + 1e-6);
            const double pull = tile[k].w * inverse * inverse * inverse;
            x += dx * pull;
            y += dy * pull;
            z += dz * pull;
        }
    }
    out[blockIdx.x * 256 + threadIdx.x] = Body{x, y, z, 0};
}

// Code for floats whose literals are doubles: the recurrence runs in FP64.
extern "C" __global__ void double_literals(const float* in, float* out, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    double value = in[i];
    for (int k = 0; k < steps; ++k)
        value = value * (1.0 - 1e-3 * value) + 1e-4;
    out[i] = (float)value;
}

extern "C" __global__ void exponentials(const float* in, float* out, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    float x = in[i];
#pragma unroll 8
    for (int k = 0; k < steps; ++k)
        x = __expf(-x);
    out[i] = x;
}

extern "C" __global__ void sines(const float* in, float* out, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    float x = in[i];
#pragma unroll 8
    for (int k = 0; k < steps; ++k)
        x = __sinf(x) + __cosf(x);
    out[i] = x;
}

extern "C" __global__ void square_roots(const float* in, float* out, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    float x = in[i] + 1.0f, sum = 0;
#pragma unroll 8
    for (int k = 0; k < steps; ++k) {
        float root;
        asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
        sum += root;
        x += 1.0f;
    }
    out[i] = sum;
}

extern "C" __global__ void quotients(const float* in, float* out, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    float x = in[i] + 1.0f;
#pragma unroll 8
    for (int k = 0; k < steps; ++k)
        x = __fdividef(1.0f, x + 0.5f);
    out[i] = x;
}

extern "C" __global__ void logarithms(const float* in, float* out, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    float x = in[i] + 3.0f;
#pragma unroll 8
    for (int k = 0; k < steps; ++k)
        x = __log2f(x) + 3.0f;
    out[i] = x;
}

extern "C" __global__ void xorshift(unsigned* state, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    unsigned x = state[i] | 1u;
#pragma unroll 8
    for (int k = 0; k < steps; ++k) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    state[i] = x;
}

extern "C" __global__ void murmur(unsigned* state, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    unsigned h = state[i];
#pragma unroll 8
    for (int k = 0; k < steps; ++k) {
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h ^= h >> 16;
    }
    state[i] = h;
}

__device__ unsigned rotated(unsigned x, int by) { return __funnelshift_l(x, x, by); }

// The rounds of ChaCha20 on a state of 16 words: additions, XORs and rotations.
extern "C" __global__ void chacha(unsigned* out, int blocks)
{
    const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x[16], sum = 0;
    for (int b = 0; b < blocks; ++b) {
#pragma unroll
        for (int k = 0; k < 16; ++k)
            x[k] = id * 2654435761u + k * 40503u + b;
#pragma unroll
        for (int round = 0; round < 10; ++round) {
#define QUARTER(a, b, c, d)                                                                                                                \
    x[a] += x[b], x[d] = rotated(x[d] ^ x[a], 16), x[c] += x[d], x[b] = rotated(x[b] ^ x[c], 12), x[a] += x[b],                            \
        x[d] = rotated(x[d] ^ x[a], 8), x[c] += x[d], x[b] = rotated(x[b] ^ x[c], 7)
            QUARTER(0, 4, 8, 12);
            QUARTER(1, 5, 9, 13);
            QUARTER(2, 6, 10, 14);
            QUARTER(3, 7, 11, 15);
            QUARTER(0, 5, 10, 15);
            QUARTER(1, 6, 11, 12);
            QUARTER(2, 7, 8, 13);
            QUARTER(3, 4, 9, 14);
        }
#pragma unroll
        for (int k = 0; k < 16; ++k)
            sum ^= x[k];
    }
    out[id] = sum;
}

// The smallest and largest of an integer sequence: comparisons, shifts and XORs.
extern "C" __global__ void bounds(const int* in, int* out, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    int low = in[i], high = low, x = low;
#pragma unroll 8
    for (int k = 0; k < steps; ++k) {
        x ^= x >> 3;
        low = min(low, x);
        high = max(high, x);
        x ^= low;
    }
    out[i] = low + high;
}

// Two multiply-adds and a rotation: neither the FMA pipe nor the ALU is the limit, the issue slots are.
extern "C" __global__ void filter_and_mix(const float* in, unsigned* out, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    float x = in[i], y = x + 1.0f;
    unsigned state = i;
#pragma unroll 16
    for (int k = 0; k < steps; ++k) {
        x = x * 0.75f + 0.1f;
        y = y * 0.5f + x;
        state = __funnelshift_l(state, __float_as_uint(y), 7);
    }
    out[i] = state;
}

// Two multiply-adds and a maximum.
extern "C" __global__ void filter_and_peak(const float* in, float* out, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    float x = in[i], y = x + 1.0f, peak = x;
#pragma unroll 16
    for (int k = 0; k < steps; ++k) {
        x = x * 0.75f + y;
        y = y * 0.5f - x;
        peak = fmaxf(peak, x);
    }
    out[i] = peak;
}

// Four multiply-adds and two integer operations of the ALU, from two independent recurrences.
extern "C" __global__ void noise_and_filter(const float* in, float* out, int steps)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    float a = in[i], b = a + 1.0f, c = a + 2.0f, d = a + 3.0f;
    unsigned state = i | 1u;
#pragma unroll 16
    for (int k = 0; k < steps; ++k) {
        a = a * 0.75f + 0.1f;
        b = b * 0.5f + a;
        c = c * 0.25f + b;
        d = d * 0.125f + c;
        state = __funnelshift_l(state, __float_as_uint(d), 9);
        state ^= __float_as_uint(b);
    }
    out[i] = a + b + c + d + __uint_as_float(state & 0x3fffffffu);
}
