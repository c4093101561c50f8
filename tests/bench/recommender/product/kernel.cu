// SPDX-License-Identifier: MIT
// C = A B: a thread computes RESULTS rows of one column, from global memory or from TILE x TILE tiles in shared memory.
extern "C" __global__ void product_plain(const float* a, const float* b, float* c, int m, int n, int k)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; ++i)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

extern "C" __global__ void __launch_bounds__(TILE* TILE / RESULTS) product_tuned(const float* a, const float* b, float* c, int m, int n, int k)
{
    const int tx = threadIdx.x, ty = threadIdx.y * RESULTS;
    const int col = blockIdx.x * TILE + tx;
    const int row = blockIdx.y * TILE + ty;
    float sum[RESULTS] = {};
#if STAGED
    __shared__ float as[TILE][TILE + PAD];
    __shared__ float bs[TILE][TILE + PAD];
    for (int step = 0; step < k; step += TILE) {
        for (int r = 0; r < RESULTS; ++r) {
            as[tx][ty + r] = a[(row + r) * k + step + tx]; // by columns: a row of the tile is read together below
            bs[ty + r][tx] = b[(step + ty + r) * n + col];
        }
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            for (int r = 0; r < RESULTS; ++r)
                sum[r] += as[i][ty + r] * bs[i][tx];
        __syncthreads();
    }
#else
    for (int i = 0; i < k; ++i)
        for (int r = 0; r < RESULTS; ++r)
            sum[r] += a[(row + r) * k + i] * b[i * n + col];
#endif
    for (int r = 0; r < RESULTS; ++r)
        c[(row + r) * n + col] = sum[r];
}
