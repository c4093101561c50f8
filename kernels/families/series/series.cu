// SPDX-License-Identifier: MIT
// A Fourier series, sum over k = 1 ... 16 of sin(k x) / k, on n floats, four a thread.

constexpr int kTerms = 16;

// A sine for each term: sixteen instructions of the transcendental pipe.
__device__ float withSines(float x)
{
    float sum = 0.0f;
#pragma unroll
    for (int k = 1; k <= kTerms; ++k)
        sum = fmaf(1.0f / static_cast<float>(k), __sinf(static_cast<float>(k) * x), sum);
    return sum;
}

// sin((k + 1) x) = 2 cos(x) sin(k x) - sin((k - 1) x): one sine and one cosine in all.
__device__ float withRecurrence(float x)
{
    float current = __sinf(x), before = 0.0f;
    const float twice = 2.0f * __cosf(x);
    float sum = current;
#pragma unroll
    for (int k = 2; k <= kTerms; ++k) {
        const float next = fmaf(twice, current, -before);
        before = current;
        current = next;
        sum = fmaf(1.0f / static_cast<float>(k), current, sum);
    }
    return sum;
}

template <float (*term)(float)> __device__ void evaluate(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int quads = n / 4;
    if (i < quads) {
        const float4 x = reinterpret_cast<const float4*>(in)[i];
        reinterpret_cast<float4*>(out)[i] = make_float4(term(x.x), term(x.y), term(x.z), term(x.w));
    } else if (i < quads + n % 4) {
        out[quads * 4 + i - quads] = term(in[quads * 4 + i - quads]);
    }
}

extern "C" __global__ void series_sines(const float* in, float* out, int n)
{
    evaluate<withSines>(in, out, n);
}

extern "C" __global__ void series_recurrence(const float* in, float* out, int n)
{
    evaluate<withRecurrence>(in, out, n);
}
