// One double-precision division a round, the rest in single precision.
extern "C" __global__ void division(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double value = 2.0 + in[i] * in[i];
    float sum = 0.0f;
    for (int k = 1; k <= 32; ++k) {
        const float step = 0.25f * k;
        value = 1.0 + value / (value + step); // SLOW
        sum = fmaf(sum, 0.5f, step);
    }
    out[i] = sum + static_cast<float>(value);
}
