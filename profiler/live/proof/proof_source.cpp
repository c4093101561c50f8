// SPDX-License-Identifier: MIT
#include "profiler/live/proof/proof_source.h"

namespace kl::inline live {

const char* const kProofSource = R"(
typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;

// Counter-based random bits: the finalizer of SplitMix64 (Steele, Lea, Flood 2014) over key and place.
__device__ u64 bitsAt(u64 key, u64 place)
{
    u64 z = key + (place + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

__device__ u64 firstPlace() { return (u64)blockIdx.x * blockDim.x + threadIdx.x; }
__device__ u64 stride() { return (u64)gridDim.x * blockDim.x; }

struct F16 {
    typedef u16 Bits;
    static __device__ double value(u16 bits) { float f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(bits)); return f; }
    static __device__ u16 bits(float f) { u16 b; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(b) : "f"(f)); return b; }
};
struct Bf16 {
    typedef u16 Bits;
    static __device__ double value(u16 bits) { return __uint_as_float((u32)bits << 16); }
    static __device__ u16 bits(float f) { const u32 b = __float_as_uint(f); return (u16)((b + 0x7fffu + ((b >> 16) & 1)) >> 16); }
};
struct F32 {
    typedef u32 Bits;
    static __device__ double value(u32 bits) { return __uint_as_float(bits); }
    static __device__ u32 bits(float f) { return __float_as_uint(f); }
};
struct F64 {
    typedef u64 Bits;
    static __device__ double value(u64 bits) { return __longlong_as_double((long long)bits); }
    static __device__ u64 bits(float f) { return (u64)__double_as_longlong((double)f); }
};
// FP8 in software, since only newer GPUs convert it: MANTISSA bits, the exponent's BIAS, the largest number and a NaN.
template <int MANTISSA, int BIAS, int LARGEST, int NAN_BITS> struct F8 {
    typedef u8 Bits;
    static __device__ double value(u8 bits)
    {
        const int magnitude = bits & 0x7f;
        if (MANTISSA == 3 ? magnitude == NAN_BITS : magnitude > 0x7c)
            return __uint_as_float(0x7fffffff);
        if (MANTISSA == 2 && magnitude == 0x7c)
            return __uint_as_float(bits & 0x80 ? 0xff800000 : 0x7f800000);
        const int exponent = max(magnitude >> MANTISSA, 1);
        const float units = (float)(magnitude - ((exponent - 1) << MANTISSA));
        const float result = ldexpf(units, exponent - BIAS - MANTISSA);
        return bits & 0x80 ? -result : result;
    }
    static __device__ u8 bits(float f)
    {
        const float magnitude = fminf(fabsf(f), (float)LARGEST);
        const int exponent = max((int)(__float_as_uint(magnitude) >> 23) - 127, 1 - BIAS);
        const int units = (int)rintf(ldexpf(magnitude, MANTISSA - exponent));
        return (u8)((f < 0 ? 0x80 : 0) | (((exponent + BIAS - 1) << MANTISSA) + units));
    }
};
typedef F8<3, 7, 448, 0x7f> E4m3;
typedef F8<2, 15, 57344, 0x7e> E5m2;
struct I8 {
    typedef u8 Bits;
    static __device__ double value(u8 bits) { return (signed char)bits; }
    static __device__ u8 bits(float f) { return (u8)(int)f; }
};
struct U8 {
    typedef u8 Bits;
    static __device__ double value(u8 bits) { return bits; }
    static __device__ u8 bits(float f) { return (u8)(int)f; }
};
struct I64 {
    typedef u64 Bits;
    static __device__ double value(u64 bits) { return (double)(long long)bits; }
    static __device__ u64 bits(float f) { return (u64)(long long)f; }
};
struct U64 {
    typedef u64 Bits;
    static __device__ double value(u64 bits) { return (double)bits; }
    static __device__ u64 bits(float f) { return (u64)f; }
};
// A byte that is neither 0 nor 1 is not an answer.
struct Bool {
    typedef u8 Bits;
    static __device__ double value(u8 bits) { return bits > 1 ? __uint_as_float(0x7fffffff) : bits; }
    static __device__ u8 bits(float f) { return f != 0; }
};

// 64-bit whole numbers differ where doubles of them do not.
template <class T> __device__ double distance(typename T::Bits a, typename T::Bits b) { return fabs(T::value(a) - T::value(b)); }
template <> __device__ double distance<I64>(u64 a, u64 b) { return (long long)a < (long long)b ? (double)(b - a) : (double)(a - b); }
template <> __device__ double distance<U64>(u64 a, u64 b) { return a < b ? (double)(b - a) : (double)(a - b); }

struct I32 {
    typedef u32 Bits;
    static __device__ double value(u32 bits) { return (int)bits; }
    static __device__ u32 bits(float f) { return (u32)(int)f; }
};
struct U32 {
    typedef u32 Bits;
    static __device__ double value(u32 bits) { return bits; }
    static __device__ u32 bits(float f) { return (u32)f; }
};

// kind 0: N(0, 1) × scale; 1: [−1, 1) × scale; 2: as 0, one in 256 ten times larger; 3: integers from `low` to `low` + 16; 4: 0 or 1.
template <class T> __device__ void fill(typename T::Bits* data, u64 count, int kind, float scale, int low, u64 key)
{
    for (u64 i = firstPlace(); i < count; i += stride()) {
        const u64 random = bitsAt(key, i);
        const float a = ((u32)(random >> 40) + 0.5f) * 5.9604644775390625e-8f; // in (0, 1)
        const float b = (u32)(random >> 16 & 0xffffff) * 5.9604644775390625e-8f;
        float value;
        if (kind == 4)
            value = (float)(random >> 63);
        else if (kind == 3)
            value = (float)(low + (int)((random >> 32) % 17));
        else if (kind == 1)
            value = (2 * b - 1) * scale;
        else
            value = sqrtf(-2 * logf(a)) * cospif(2 * b) * (kind == 2 && (random & 0xff) == 0 ? 10 * scale : scale);
        data[i] = T::bits(value);
    }
}

// The stored part of an answer is masked by bits of a secret key, so that a kernel cannot use it.
template <class Bits> __device__ void seal(Bits* sealed, const Bits* data, u64 count, u64 key)
{
    for (u64 i = firstPlace(); i < count; i += stride())
        sealed[i] = data[i] ^ (Bits)bitsAt(key, i);
}

// Mode 0: poison. 1: a sealed answer. 2: that, with `holes` elements poisoned on average.
template <class Bits>
__device__ void prepare(Bits* data, const Bits* sealed, u64 count, int mode, u64 key, u64 holeKey, u64 holes, Bits poison)
{
    for (u64 i = firstPlace(); i < count; i += stride()) {
        Bits value = poison;
        if (mode != 0)
            value = sealed[i] ^ (Bits)bitsAt(key, i);
        if (mode == 2 && __umul64hi(bitsAt(holeKey, i), count) < holes)
            value = poison;
        data[i] = value;
    }
}

struct Tally {
    u64 different;   // elements with other bits than the sealed answer
    u64 bad;         // of them, beyond the tolerance or not finite
    u64 firstBad;    // lowest index of a bad one
    u64 firstOther;  // lowest index of a different one
    u64 largest;     // largest error, as the bits of a double that is not negative
    double squares;  // of the errors, summed
    double wanted;   // squares of the answer, summed
    u64 notFinite;   // in the output
};

// Begins a check, and with it ends what is timed before.
extern "C" __global__ void klp_begin(Tally* tally)
{
    *tally = Tally{0, 0, ~0ull, ~0ull, 0, 0, 0, 0};
}

template <class T>
__device__ void check(const typename T::Bits* data, const typename T::Bits* sealed, u64 count, u64 key, double maxAbs, int wantNorm,
                      Tally* tally)
{
    u64 different = 0, bad = 0, firstBad = ~0ull, firstOther = ~0ull, notFinite = 0;
    double largest = 0, squares = 0, wanted = 0;
    for (u64 i = firstPlace(); i < count; i += stride()) {
        const typename T::Bits got = data[i];
        const typename T::Bits want = sealed[i] ^ (typename T::Bits)bitsAt(key, i);
        if (wantNorm) {
            const double value = T::value(want);
            wanted += value * value;
            if (!isfinite(T::value(got)))
                ++notFinite;
        }
        if (got == want)
            continue;
        ++different;
        firstOther = min(firstOther, i);
        const double value = T::value(got);
        const double error = distance<T>(got, want);
        if (!isfinite(value) || !(error <= maxAbs)) {
            ++bad;
            firstBad = min(firstBad, i);
        }
        if (isfinite(error)) {
            largest = fmax(largest, error);
            squares += error * error;
        }
    }
    if (different) {
        atomicAdd(&tally->different, different);
        atomicMin(&tally->firstOther, firstOther);
        atomicMax(&tally->largest, (u64)__double_as_longlong(largest));
        atomicAdd(&tally->squares, squares);
    }
    if (bad) {
        atomicAdd(&tally->bad, bad);
        atomicMin(&tally->firstBad, firstBad);
    }
    if (notFinite)
        atomicAdd(&tally->notFinite, notFinite);
    if (wantNorm)
        atomicAdd(&tally->wanted, wanted);
}

#define KL_SIZE(N, BITS)                                                                                                               \
    extern "C" __global__ void klp_seal_##N(BITS* sealed, const BITS* data, u64 count, u64 key) { seal(sealed, data, count, key); }     \
    extern "C" __global__ void klp_prepare_##N(BITS* data, const BITS* sealed, u64 count, int mode, u64 key, u64 holeKey, u64 holes,    \
                                              u64 poison)                                                                             \
    {                                                                                                                                 \
        prepare(data, sealed, count, mode, key, holeKey, holes, (BITS)poison);                                                        \
    }
KL_SIZE(1, u8)
KL_SIZE(2, u16)
KL_SIZE(4, u32)
KL_SIZE(8, u64)

#define KL_TYPE(NAME, T)                                                                                                               \
    extern "C" __global__ void klp_fill_##NAME(T::Bits* data, u64 count, int kind, float scale, int low, u64 key)                       \
    {                                                                                                                                 \
        fill<T>(data, count, kind, scale, low, key);                                                                                  \
    }                                                                                                                                 \
    extern "C" __global__ void klp_check_##NAME(const T::Bits* data, const T::Bits* sealed, u64 count, u64 key, double maxAbs,          \
                                               int wantNorm, Tally* tally)                                                            \
    {                                                                                                                                 \
        check<T>(data, sealed, count, key, maxAbs, wantNorm, tally);                                                                  \
    }                                                                                                                                 \
    extern "C" __global__ void klp_pick_##NAME(const T::Bits* data, const u64* places, u64 count, double* values)                       \
    {                                                                                                                                 \
        for (u64 i = firstPlace(); i < count; i += stride())                                                                          \
            values[i] = T::value(data[places[i]]);                                                                                    \
    }
KL_TYPE(f16, F16)
KL_TYPE(bf16, Bf16)
KL_TYPE(f32, F32)
KL_TYPE(f64, F64)
KL_TYPE(i32, I32)
KL_TYPE(u32, U32)
KL_TYPE(f8e4m3, E4m3)
KL_TYPE(f8e5m2, E5m2)
KL_TYPE(i8, I8)
KL_TYPE(u8, U8)
KL_TYPE(i64, I64)
KL_TYPE(u64, U64)
KL_TYPE(bool, Bool)

// A sum that changes with every byte and its place.
extern "C" __global__ void klp_hash(const unsigned char* data, u64 bytes, u64* sum)
{
    u64 part = 0;
    const u64 words = ((u64)data & 3) == 0 ? bytes / 4 : 0; // a variable of a byte may lie anywhere
    for (u64 i = firstPlace(); i < words; i += stride())
        part += bitsAt(((const u32*)data)[i], i);
    if (firstPlace() == 0)
        for (u64 i = 4 * words; i < bytes; ++i)
            part += bitsAt(data[i], ~i);
    atomicAdd(sum, part);
}

// Random words in all of an SM's shared memory, so that nothing that a launch left there reaches the next one.
extern "C" __global__ void klp_scrub(u32 words, u64 key)
{
    extern __shared__ u32 shared[];
    for (u32 i = threadIdx.x; i < words; i += blockDim.x)
        shared[i] = (u32)bitsAt(key + blockIdx.x, i);
    __syncthreads();
    if (shared[(u32)key % words] == (u32)key) // keeps the stores
        __nanosleep(1);
}

// One word of every page of 2 MiB, by every block: each SM's part of the device keeps translations of its own.
extern "C" __global__ void klp_touch(const u32* data, u64 words, u32* sink)
{
    for (u64 at = (u64)threadIdx.x << 19; at < words; at += (u64)blockDim.x << 19)
        if (*(volatile const u32*)(data + at) == 0x5ca1ab1e)
            *sink = 1;
}

extern "C" __global__ void klp_read(const uint4* data, u64 count, u32* sink)
{
    u32 seen = 0;
    for (u64 i = firstPlace(); i < count; i += stride()) {
        uint4 word;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w) : "l"(data + i));
        seen |= word.x | word.y | word.z | word.w;
    }
    if (seen == 0x5ca1ab1e) // the loads stay
        *sink = seen;
}
)";

} // namespace kl::inline live
