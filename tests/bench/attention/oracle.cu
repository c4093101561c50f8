// SPDX-License-Identifier: MIT
// The kernels of the oracle, compiled at run time: inputs, the right answer, and what a variant's output differs by. BF16 is a macro.

using Half = unsigned short;

__device__ float toFloat(Half value)
{
#if BF16
    return __uint_as_float(static_cast<unsigned>(value) << 16);
#else
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(value));
    return result;
#endif
}

/// N(0, 1) of a counter (SplitMix64, Box and Muller); with outliers one element in 256 is ten times larger.
extern "C" __global__ void fillNormal(Half* values, long long count, unsigned long long seed, int outliers)
{
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < count; i += gridDim.x * 256LL) {
        unsigned long long z = seed * 0x2545f4914f6cdd1dull + (i + 1) * 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        z ^= z >> 31;
        const float radius = sqrtf(-2 * logf(((z & 0xffffff) + 1) * (1.0f / 16777217)));
        const float value = radius * cosf(6.2831853f * ((z >> 24 & 0xffffff) * (1.0f / 16777216))) * (outliers && z >> 56 == 0 ? 10 : 1);
        Half half;
#if BF16
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(half) : "f"(value));
#else
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
#endif
        values[i] = half;
    }
}

/// The same for each of 256 threads: the sum, or the largest value.
__device__ double combined(double* partial, double value, bool largest)
{
    partial[threadIdx.x] = value;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) {
            const double other = partial[threadIdx.x + step];
            partial[threadIdx.x] = largest ? fmax(partial[threadIdx.x], other) : partial[threadIdx.x] + other;
        }
        __syncthreads();
    }
    const double result = partial[0];
    __syncthreads();
    return result;
}

/// One output row. Grid (queries, heads), block 256, shared memory 256 doubles, `dim` and `keys` floats.
extern "C" __global__ void rightAnswer(const Half* q, const Half* k, const Half* v, float* o, int queries, int keys, int dim, int causal)
{
    extern __shared__ double partial[];
    float* query = reinterpret_cast<float*>(partial + 256);
    float* weights = query + dim;
    const long long row = blockIdx.y * static_cast<long long>(queries) + blockIdx.x;
    k += blockIdx.y * static_cast<long long>(keys) * dim;
    v += blockIdx.y * static_cast<long long>(keys) * dim;
    if (threadIdx.x < dim)
        query[threadIdx.x] = toFloat(q[row * dim + threadIdx.x]);
    __syncthreads();
    const int visible = causal ? min(keys, static_cast<int>(blockIdx.x) + 1) : keys;
    const double scale = 1 / sqrt(static_cast<double>(dim));
    float highest = -1e30f;
    for (int key = threadIdx.x; key < visible; key += 256) {
        double score = 0;
        for (int d = 0; d < dim; ++d)
            score += static_cast<double>(query[d]) * toFloat(k[static_cast<long long>(key) * dim + d]);
        weights[key] = score * scale;
        highest = fmaxf(highest, weights[key]);
    }
    highest = combined(partial, highest, true);
    double total = 0;
    for (int key = threadIdx.x; key < visible; key += 256) {
        weights[key] = expf(weights[key] - highest);
        total += weights[key];
    }
    total = combined(partial, total, false);
    const int d = threadIdx.x % dim;
    double sum = 0;
    for (int key = threadIdx.x / dim; key < visible; key += 256 / dim)
        sum += static_cast<double>(weights[key]) * toFloat(v[static_cast<long long>(key) * dim + d]);
    partial[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x >= dim)
        return;
    for (int part = 1; part < 256 / dim; ++part)
        sum += partial[part * dim + d];
    o[row * dim + d] = sum / total;
}

struct Difference {
    double squares, reference, largest, nonfinite, guards;
};

/// Adds to `difference`, which begins at zeros.
extern "C" __global__ void compareOutput(const Half* output, const float* right, long long count, Difference* difference)
{
    double squares = 0, reference = 0, largest = 0, nonfinite = 0;
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < count; i += gridDim.x * 256LL) {
        const double value = toFloat(output[i]), want = right[i];
        if (!isfinite(value)) {
            ++nonfinite;
            continue;
        }
        squares += (value - want) * (value - want);
        reference += want * want;
        largest = fmax(largest, fabs(value - want));
    }
    __shared__ double partial[256];
    squares = combined(partial, squares, false);
    reference = combined(partial, reference, false);
    largest = combined(partial, largest, true);
    nonfinite = combined(partial, nonfinite, false);
    if (threadIdx.x > 0)
        return;
    atomicAdd(&difference->squares, squares);
    atomicAdd(&difference->reference, reference);
    atomicAdd(&difference->nonfinite, nonfinite);
    atomicMax(reinterpret_cast<unsigned long long*>(&difference->largest), __double_as_longlong(largest)); // not negative: same order
}

/// Counts words of a guard band that are no longer `word`.
extern "C" __global__ void checkGuard(const unsigned* band, int words, unsigned word, Difference* difference)
{
    for (int i = threadIdx.x; i < words; i += 256)
        if (band[i] != word)
            atomicAdd(&difference->guards, 1.0);
}
