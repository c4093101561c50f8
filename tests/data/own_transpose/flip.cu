// Transposes an m x n matrix: blocks of 32 x 8 threads, each block a tile of 32 x 32 elements.
extern "C" __global__ void flip(const float* in, float* out, int m, int n)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < n && y + k < m)
            out[x * m + y + k] = in[(y + k) * n + x];
}
