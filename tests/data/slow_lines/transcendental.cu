// A chain of sines between cheap steps.
extern "C" __global__ void transcendental(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float value = in[i];
    float sum = 0.0f;
    for (int k = 0; k < 32; ++k) {
        value = value * 0.9f + 0.1f;
        value = sinf(value * 3.0f); // SLOW
        sum += value * value;
    }
    out[i] = sum;
}
