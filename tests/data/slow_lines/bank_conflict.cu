// A tile read down its columns: all 32 lanes ask the same bank.
extern "C" __global__ void bank_conflict(const float* in, float* out, int n)
{
    __shared__ float tile[32 * 32 * 8];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    for (int k = threadIdx.x; k < 32 * 32 * 8; k += blockDim.x)
        tile[k] = in[(blockIdx.x * 64 + k) & (n - 1)];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 512; ++k) {
        sum += tile[lane * 32 + ((k + warp) & 31) + (k & 4) * 1024]; // SLOW
        sum *= 0.75f;
    }
    if (i < n)
        out[i] = sum;
}
