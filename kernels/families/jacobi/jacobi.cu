// SPDX-License-Identifier: MIT
// Jacobi's iteration x <- b + x M of n rows of 32, b and M [32][32] in FP16, sums and result in FP32, on the tensor cores (mma.sync, sm_80 and
// newer). A warp takes 16 rows. M and b stay in its registers, and so does x: where an instruction leaves its sums is where the next one
// wants its factors. Header-free.

using Half = unsigned short;

namespace {

constexpr int kWidth = 32;
constexpr int kThreads = 128;
constexpr int kGroups = kWidth / 8; // of eight columns, the width of an instruction's result

__device__ __forceinline__ float floatOf(Half value)
{
    float out;
    asm("cvt.f32.f16 %0, %1;" : "=f"(out) : "h"(value));
    return out;
}

__device__ __forceinline__ unsigned pairOf(Half low, Half high)
{
    return low | static_cast<unsigned>(high) << 16;
}

__device__ __forceinline__ unsigned rounded(float low, float high)
{
    unsigned out;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(out) : "f"(high), "f"(low));
    return out;
}

/// To TF32, whose 13 bits less are not looked at: half of the last place that counts is added. One instruction, where cvt.rna minds infinities.
__device__ __forceinline__ unsigned rounded(float value)
{
    return __float_as_uint(value) + 0x1000u;
}

/// The 16 x 32 values of a warp: group j holds columns 8 j + 2 t and the next one, of rows g and g + 8; t = lane % 4, g = lane / 4.
struct Rows {
    float at[kGroups][4];
};

template <class Visit> __device__ __forceinline__ void visit(int n, Visit&& each)
{
    const int lane = threadIdx.x % 32;
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 16 + lane / 4;
#pragma unroll
    for (int j = 0; j < kGroups; ++j)
#pragma unroll
        for (int part = 0; part < 2; ++part)
            if (first + part * 8 < n)
                each(j, part, static_cast<long long>(first + part * 8) * kWidth + j * 8 + lane % 4 * 2);
}

__device__ __forceinline__ Rows loaded(const Half* from, int n)
{
    Rows rows = {};
    visit(n, [&](int j, int part, long long place) {
        const unsigned both = *reinterpret_cast<const unsigned*>(from + place);
        rows.at[j][part * 2] = floatOf(static_cast<Half>(both));
        rows.at[j][part * 2 + 1] = floatOf(static_cast<Half>(both >> 16));
    });
    return rows;
}

__device__ __forceinline__ Rows loaded(const float* from, int n)
{
    Rows rows = {};
    visit(n, [&](int j, int part, long long place) {
        const float2 both = *reinterpret_cast<const float2*>(from + place);
        rows.at[j][part * 2] = both.x;
        rows.at[j][part * 2 + 1] = both.y;
    });
    return rows;
}

__device__ __forceinline__ void store(const Rows& rows, float* to, int n)
{
    visit(n, [&](int j, int part, long long place) {
        *reinterpret_cast<float2*>(to + place) = make_float2(rows.at[j][part * 2], rows.at[j][part * 2 + 1]);
    });
}

/// Products in FP16, sixteen deep.
struct Packed {
    unsigned m[kGroups / 2][kGroups][2];

    __device__ __forceinline__ explicit Packed(const Half* matrix)
    {
        const int t = threadIdx.x % 4, g = threadIdx.x % 32 / 4;
#pragma unroll
        for (int i = 0; i < kGroups / 2; ++i)
#pragma unroll
            for (int j = 0; j < kGroups; ++j)
#pragma unroll
                for (int k = 0; k < 2; ++k) {
                    const Half* at = matrix + (i * 16 + k * 8 + t * 2) * kWidth + j * 8 + g;
                    m[i][j][k] = pairOf(at[0], at[kWidth]);
                }
    }

    __device__ __forceinline__ void step(Rows& x, const Rows& b) const
    {
        Rows sums = b;
#pragma unroll
        for (int i = 0; i < kGroups / 2; ++i) {
            unsigned a[4];
#pragma unroll
            for (int k = 0; k < 4; ++k)
                a[k] = rounded(x.at[i * 2 + k / 2][k % 2 * 2], x.at[i * 2 + k / 2][k % 2 * 2 + 1]);
#pragma unroll
            for (int j = 0; j < kGroups; ++j)
                asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                    : "+f"(sums.at[j][0]), "+f"(sums.at[j][1]), "+f"(sums.at[j][2]), "+f"(sums.at[j][3])
                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(m[i][j][0]), "r"(m[i][j][1]));
        }
        x = sums;
    }
};

/// Products in TF32, eight deep: twice as many instructions, each as long. The order of a sum's terms is free: column 2 t of x is taken for
/// the instruction's column t, 2 t + 1 for t + 4, and M's rows likewise.
struct Single {
    unsigned m[kGroups][kGroups][2];

    __device__ __forceinline__ explicit Single(const Half* matrix)
    {
        const int t = threadIdx.x % 4, g = threadIdx.x % 32 / 4;
#pragma unroll
        for (int i = 0; i < kGroups; ++i)
#pragma unroll
            for (int j = 0; j < kGroups; ++j)
#pragma unroll
                for (int k = 0; k < 2; ++k)
                    m[i][j][k] = __float_as_uint(floatOf(matrix[(i * 8 + t * 2 + k) * kWidth + j * 8 + g]));
    }

    __device__ __forceinline__ void step(Rows& x, const Rows& b) const
    {
        Rows sums = b;
#pragma unroll
        for (int i = 0; i < kGroups; ++i) {
            unsigned a[4];
#pragma unroll
            for (int k = 0; k < 4; ++k)
                a[k] = rounded(x.at[i][k % 2 * 2 + k / 2]);
#pragma unroll
            for (int j = 0; j < kGroups; ++j)
                asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                    : "+f"(sums.at[j][0]), "+f"(sums.at[j][1]), "+f"(sums.at[j][2]), "+f"(sums.at[j][3])
                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(m[i][j][0]), "r"(m[i][j][1]));
        }
        x = sums;
    }
};

template <class Matrix> __device__ __forceinline__ void iterate(const Half* m, const Half* b, float* out, int n, int steps)
{
    const Matrix matrix(m);
    const Rows start = loaded(b, n);
    Rows x = start;
    for (int step = 0; step < steps; ++step)
        matrix.step(x, start);
    store(x, out, n);
}

} // namespace

// One step from what the last launch left in `out`; the first one begins with b itself.
extern "C" __global__ void __launch_bounds__(kThreads) jacobi_step(const Half* m, const Half* b, float* out, int n, int first)
{
    const Packed matrix(m);
    const Rows start = loaded(b, n);
    Rows x = first ? start : loaded(out, n);
    matrix.step(x, start);
    store(x, out, n);
}

extern "C" __global__ void __launch_bounds__(kThreads) jacobi_single(const Half* m, const Half* b, float* out, int n, int steps)
{
    iterate<Single>(m, b, out, n, steps);
}

extern "C" __global__ void __launch_bounds__(kThreads) jacobi_packed(const Half* m, const Half* b, float* out, int n, int steps)
{
    iterate<Packed>(m, b, out, n, steps);
}
