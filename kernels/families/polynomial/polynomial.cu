// SPDX-License-Identifier: MIT
// A polynomial of degree DEGREE, by Horner's rule, on n floats, four a thread side by side. The coefficient of x^k is 1 / (1 + k % 8).

#ifndef DEGREE
#define DEGREE 55
#endif

constexpr int kPeriod = 8;
static_assert((DEGREE + 1) % kPeriod == 0, "coefficients repeat after 8");

template <class Number> __device__ void horner(const Number (&x)[4], Number (&sum)[4])
{
#pragma unroll 2
    for (int group = 0; group <= DEGREE / kPeriod; ++group) {
#pragma unroll
        for (int k = kPeriod - 1; k >= 0; --k)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                sum[i] = sum[i] * x[i] + static_cast<Number>(1.0 / (1 + k)); // contracted to one multiply-add
    }
}

template <class Number> __device__ void evaluate(const float* in, float* out, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int quads = n / 4;
    const bool whole = t < quads;
    const int rest = quads * 4 + t - quads; // the last n % 4 elements go one by one
    if (!whole && rest >= n)
        return;
    const float4 four = whole ? reinterpret_cast<const float4*>(in)[t] : make_float4(in[rest], 0.0f, 0.0f, 0.0f);
    const Number x[4] = {four.x, four.y, four.z, four.w};
    Number sum[4] = {};
    horner(x, sum);
    if (whole)
        reinterpret_cast<float4*>(out)[t] = make_float4(sum[0], sum[1], sum[2], sum[3]);
    else
        out[rest] = sum[0];
}

// What literals without f do: every step happens in double precision.
extern "C" __global__ void polynomial_double(const float* in, float* out, int n)
{
    evaluate<double>(in, out, n);
}

extern "C" __global__ void polynomial_float(const float* in, float* out, int n)
{
    evaluate<float>(in, out, n);
}
