// Reads rows, writes columns: each warp's store touches 32 lines of memory.
extern "C" __global__ void strided_store(const float* in, float* out, int n)
{
    const int side = 1024;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int row = i / side;
    const int column = i % side;
    const float scale = 1.0f + 0.5f * (row & 1);
    out[column * (n / side) + row] = scale * in[i]; // SLOW
}
