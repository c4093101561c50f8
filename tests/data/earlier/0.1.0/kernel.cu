// y = a * x + y, in place, one element a thread; BLOCK is the descriptor's tunable.
extern "C" __global__ void axpy_plain(float* y, const float* x, float a, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// The same with 16 bytes a thread; the last elements, where n is no multiple of four, one by one.
extern "C" __global__ void axpy_vector(float* y, const float* x, float a, int n)
{
    const int first = 4 * (blockIdx.x * BLOCK + threadIdx.x);
    if (first + 3 < n) {
        const float4 from = reinterpret_cast<const float4*>(x)[first / 4];
        float4 to = reinterpret_cast<float4*>(y)[first / 4];
        to.x += a * from.x;
        to.y += a * from.y;
        to.z += a * from.z;
        to.w += a * from.w;
        reinterpret_cast<float4*>(y)[first / 4] = to;
    } else {
        for (int i = first; i < n; ++i)
            y[i] = a * x[i] + y[i];
    }
}
