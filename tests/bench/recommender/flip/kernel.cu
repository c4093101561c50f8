// SPDX-License-Identifier: MIT
// Transpose of an N x N matrix by blocks of 32 x 32, straight or through shared memory; ITEMS rows a thread.
extern "C" __global__ void flip_plain(const float* x, float* y, int n)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    for (int r = threadIdx.y; r < 32; r += blockDim.y)
        y[(long long)col * n + blockIdx.y * 32 + r] = x[(long long)(blockIdx.y * 32 + r) * n + col];
}

extern "C" __global__ void __launch_bounds__(1024 / ITEMS) flip_tuned(const float* x, float* y, int n)
{
    const int tx = threadIdx.x, ty = threadIdx.y;
    const long long fromRow = blockIdx.y * 32, fromCol = blockIdx.x * 32;
#if STAGED
    __shared__ float tile[32][32 + PAD];
    for (int r = ty; r < 32; r += 32 / ITEMS)
        tile[r][tx] = x[(fromRow + r) * n + fromCol + tx];
    __syncthreads();
    for (int r = ty; r < 32; r += 32 / ITEMS)
        y[(fromCol + r) * n + fromRow + tx] = tile[tx][r];
#else
    for (int r = ty; r < 32; r += 32 / ITEMS)
        y[(fromCol + tx) * n + fromRow + r] = x[(fromRow + r) * n + fromCol + tx];
#endif
}
