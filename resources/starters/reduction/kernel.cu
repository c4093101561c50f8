// Sum of n floats: BLOCKS partial sums, then one block adds them up.
__device__ float sumOfBlock(float value)
{
    __shared__ float warps[32];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(0xffffffff, value, step);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0f;
        for (int step = 16; step > 0; step /= 2)
            value += __shfl_down_sync(0xffffffff, value, step);
    }
    return value; // thread 0 holds the sum
}

extern "C" __global__ void reduce_stride(const float* in, float* out, int n)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = sumOfBlock(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
