// Matrix-vector product as in matvec.cu, a warp per row. The fault: warps beyond the last row write past the end of the result.

#define FULL_WARP 0xffffffffu

__device__ float rowTimes(const float* row, const float* x, int n)
{
    float sum = 0;
    for (int c = threadIdx.x % 32; c < n; c += 32)
        sum += row[c] * x[c];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(FULL_WARP, sum, step);
    return sum;
}

extern "C" __global__ void matvec_missing_row_check(const float* a, const float* x, float* y, int m, int n)
{
    const int row = blockIdx.x * 8 + threadIdx.x / 32;
    const float sum = rowTimes(a + (size_t)row * n, x, n);
    if (threadIdx.x % 32 == 0)
        y[row] = sum;
}

extern "C" __global__ void matvec_row_check(const float* a, const float* x, float* y, int m, int n)
{
    const int row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= m)
        return;
    const float sum = rowTimes(a + (size_t)row * n, x, n);
    if (threadIdx.x % 32 == 0)
        y[row] = sum;
}
