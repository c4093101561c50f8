// Every thread of the grid adds to the same few words.
extern "C" __global__ void atomics(const float* in, float* out, float* totals, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float value = in[i];
    const float weight = 1.0f / (1.0f + value * value);
    const float before = atomicAdd(&totals[threadIdx.x & 3], weight * 1e-6f); // SLOW
    out[i] = before < 0 ? 0 : value * weight; // never below 0, which the compiler does not know
}
