// SPDX-License-Identifier: MIT
// out[n][m] = in[m][n] for an M x N matrix of floats.

constexpr int kTile = 32;
constexpr int kRows = 8; // rows of a tile that one pass of the block covers

// Reads are coalesced, each warp's writes go to 32 different rows.
extern "C" __global__ void transpose_naive(const float* in, float* out, int rows, int cols)
{
    const int col = blockIdx.x * kTile + threadIdx.x;
    const int firstRow = blockIdx.y * kTile + threadIdx.y;
    for (int k = 0; k < kTile; k += kRows) {
        const int row = firstRow + k;
        if (row < rows && col < cols)
            out[static_cast<size_t>(col) * rows + row] = in[static_cast<size_t>(row) * cols + col];
    }
}

template <int Pitch> __device__ void transposeThroughTile(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[kTile * Pitch];
    const int inCol = blockIdx.x * kTile + threadIdx.x;
    const int inRow = blockIdx.y * kTile + threadIdx.y;
    for (int k = 0; k < kTile; k += kRows)
        if (inRow + k < rows && inCol < cols)
            tile[(threadIdx.y + k) * Pitch + threadIdx.x] = in[static_cast<size_t>(inRow + k) * cols + inCol];
    __syncthreads();
    const int outCol = blockIdx.y * kTile + threadIdx.x;
    const int outRow = blockIdx.x * kTile + threadIdx.y;
    for (int k = 0; k < kTile; k += kRows)
        if (outRow + k < cols && outCol < rows)
            out[static_cast<size_t>(outRow + k) * rows + outCol] = tile[threadIdx.x * Pitch + threadIdx.y + k];
}

// A column of the tile lies in one bank: 32-way conflicts on the way out.
extern "C" __global__ void transpose_tiled(const float* in, float* out, int rows, int cols)
{
    transposeThroughTile<kTile>(in, out, rows, cols);
}

// One more float a row moves each row of a column to a bank of its own.
extern "C" __global__ void transpose_padded(const float* in, float* out, int rows, int cols)
{
    transposeThroughTile<kTile + 1>(in, out, rows, cols);
}

// A 64 x 64 tile moved 16 bytes per thread in both directions. Chunks of 16 bytes are placed by chunk ^ (row / 4), so neither the
// rows written nor the columns read meet in a bank. Sizes that are no multiple of 4 take single floats.
extern "C" __global__ void __launch_bounds__(256) transpose_vector(const float* in, float* out, int rows, int cols)
{
    constexpr int kWide = 64;
    __shared__ float4 tile[kWide * kWide / 4];
    float* words = reinterpret_cast<float*>(tile);
    const int row0 = blockIdx.y * kWide;
    const int col0 = blockIdx.x * kWide;
    const bool aligned = rows % 4 == 0 && cols % 4 == 0;

    for (int item = threadIdx.x; item < kWide * kWide / 4; item += 256) {
        const int r = item / 16;
        const int chunk = item % 16;
        const int row = row0 + r;
        const int col = col0 + chunk * 4;
        if (row >= rows || col >= cols)
            continue;
        const float* from = in + static_cast<size_t>(row) * cols + col;
        const int place = r * 16 + (chunk ^ (r / 4));
        if (aligned) {
            tile[place] = *reinterpret_cast<const float4*>(from);
        } else {
            for (int k = 0; k < 4 && col + k < cols; ++k)
                words[place * 4 + k] = from[k];
        }
    }
    __syncthreads();

    for (int item = threadIdx.x; item < kWide * kWide / 4; item += 256) {
        // A warp writes 4 rows of 8 chunks: 128 contiguous bytes per row.
        const int lane = item % 32;
        const int rest = item / 32;
        const int chunk = rest % 2 * 8 + lane % 8;
        const int j = rest / 2 * 4 + lane / 8;
        const int row = col0 + j;
        const int col = row0 + chunk * 4;
        if (row >= cols || col >= rows)
            continue;
        float value[4];
        for (int k = 0; k < 4; ++k)
            value[k] = words[((chunk * 4 + k) * 16 + ((j / 4) ^ chunk)) * 4 + j % 4];
        float* to = out + static_cast<size_t>(row) * rows + col;
        if (aligned) {
            *reinterpret_cast<float4*>(to) = make_float4(value[0], value[1], value[2], value[3]);
        } else {
            for (int k = 0; k < 4 && col + k < rows; ++k)
                to[k] = value[k];
        }
    }
}
