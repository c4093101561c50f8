// Each thread sums along its own row: neighboring lanes read a kilobyte apart.
extern "C" __global__ void column_sum(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    const int first = (i * 256) & (n - 1);
    for (int k = 0; k < 32; ++k) {
        const float weight = 1.0f / (1 + k);
        sum += weight * in[(first + k * 8 + (i >> 12)) & (n - 1)]; // SLOW
    }
    out[i] = sum;
}
