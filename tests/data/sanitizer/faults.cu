// Copies n floats; each kernel but the first has one fault that compute-sanitizer finds.
extern "C" __global__ void sound(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

extern "C" __global__ void past_the_end(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i + 1] = in[i];
}

extern "C" __global__ void race(const float* in, float* out, int n)
{
    __shared__ float tile[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int other = blockDim.x - 1 - threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0;
    if (i < n)
        out[i] = tile[other] * 0 + in[i];
}

extern "C" __global__ void unwritten_read(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += in[i];
}

extern "C" __global__ void divergent_barrier(const float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 32 < 16)
        __syncthreads();
    if (i < n)
        out[i] = in[i];
}
