// SPDX-License-Identifier: MIT
// A polynomial of degree DEGREE, by Horner's rule, on n floats, four a thread. The coefficient of x^k is 1 / (1 + k % 16).

#ifndef DEGREE
#define DEGREE 63
#endif

constexpr int kPeriod = 16;
static_assert((DEGREE + 1) % kPeriod == 0 || DEGREE < kPeriod, "coefficients repeat after 16");

template <class Number> __device__ Number horner(Number x)
{
    Number sum = 0;
#pragma unroll 1
    for (int group = DEGREE / kPeriod; group >= 0; --group) {
#pragma unroll
        for (int k = min(DEGREE, kPeriod - 1); k >= 0; --k)
            sum = sum * x + static_cast<Number>(1.0 / (1 + k)); // contracted to one multiply-add
    }
    return sum;
}

template <class Number> __device__ void evaluate(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int quads = n / 4;
    if (i < quads) {
        const float4 x = reinterpret_cast<const float4*>(in)[i];
        reinterpret_cast<float4*>(out)[i] = make_float4(horner<Number>(x.x), horner<Number>(x.y), horner<Number>(x.z), horner<Number>(x.w));
    } else if (i < quads + n % 4) {
        out[quads * 4 + i - quads] = horner<Number>(in[quads * 4 + i - quads]);
    }
}

// What a literal without f does to a sum that is declared auto: everything happens in double precision.
extern "C" __global__ void polynomial_double(const float* in, float* out, int n)
{
    evaluate<double>(in, out, n);
}

extern "C" __global__ void polynomial_float(const float* in, float* out, int n)
{
    evaluate<float>(in, out, n);
}
