// SPDX-License-Identifier: MIT
// A filter of 5 x 5 points over a matrix of `rows` x `cols` floats, weight 1 / (1 + dx^2 + dy^2), with zeros around the matrix.

constexpr int kReach = 2;
constexpr int kPoints = 2 * kReach + 1;

__device__ constexpr float weight(int dy, int dx)
{
    return 1.0f / static_cast<float>(1 + dx * dx + dy * dy);
}

__device__ float valueOrZero(const float* in, int y, int x, int rows, int cols)
{
    return y >= 0 && y < rows && x >= 0 && x < cols ? in[y * cols + x] : 0.0f;
}

// Every output reads its 25 inputs for itself; L1 answers nearly all of them, one load after another.
extern "C" __global__ void stencil_global(const float* __restrict__ in, float* out, int rows, int cols)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 8 + threadIdx.y;
    if (x >= cols || y >= rows)
        return;
    float sum = 0.0f;
    if (x >= kReach && x < cols - kReach && y >= kReach && y < rows - kReach) {
#pragma unroll
        for (int dy = -kReach; dy <= kReach; ++dy)
#pragma unroll
            for (int dx = -kReach; dx <= kReach; ++dx)
                sum = fmaf(weight(dy, dx), in[(y + dy) * cols + x + dx], sum);
    } else {
        for (int dy = -kReach; dy <= kReach; ++dy)
            for (int dx = -kReach; dx <= kReach; ++dx)
                sum = fmaf(weight(dy, dx), valueOrZero(in, y + dy, x + dx, rows, cols), sum);
    }
    out[y * cols + x] = sum;
}

// A tile with its border in shared memory, four outputs per thread: the 25 reads of an output remain, they only go to another part of the
// same unit. The tile begins at a multiple of four, so that its rows are whole sectors.
extern "C" __global__ void stencil_shared(const float* __restrict__ in, float* out, int rows, int cols)
{
    constexpr int kSide = 32;
    constexpr int kLeft = 4;
    constexpr int kWide = kSide + 2 * kLeft;
    constexpr int kHigh = kSide + 2 * kReach;
    __shared__ float tile[kHigh][kWide];
    const int firstX = blockIdx.x * kSide, firstY = blockIdx.y * kSide;
    const int tx = threadIdx.x;
#pragma unroll
    for (int part = 0; part < (kHigh + 7) / 8; ++part) {
        const int ty = part * 8 + threadIdx.y;
        if (ty >= kHigh)
            break;
        tile[ty][tx] = valueOrZero(in, firstY + ty - kReach, firstX + tx - kLeft, rows, cols);
        if (tx < 2 * kLeft)
            tile[ty][tx + kSide] = valueOrZero(in, firstY + ty - kReach, firstX + tx + kSide - kLeft, rows, cols);
    }
    __syncthreads();
#pragma unroll
    for (int part = 0; part < kSide / 8; ++part) {
        const int ty = part * 8 + threadIdx.y;
        float sum = 0.0f;
#pragma unroll
        for (int dy = 0; dy < kPoints; ++dy)
#pragma unroll
            for (int dx = 0; dx < kPoints; ++dx)
                sum = fmaf(weight(dy - kReach, dx - kReach), tile[ty + dy][tx + dx + kLeft - kReach], sum);
        if (firstX + tx < cols && firstY + ty < rows)
            out[(firstY + ty) * cols + firstX + tx] = sum;
    }
}

// Four neighboring floats of row y and two more on each side, which the lanes beside have; those at a warp's ends load them. x is a
// multiple of 4. All lanes of the warp take part.
__device__ void loadEight(float (&v)[8], const float* in, int y, int x, int rows, int cols)
{
    constexpr unsigned kFullWarp = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    float4 own;
    if (y >= 0 && y < rows && x + 4 <= cols && cols % 4 == 0)
        own = *reinterpret_cast<const float4*>(in + y * cols + x);
    else
        own = make_float4(valueOrZero(in, y, x, rows, cols), valueOrZero(in, y, x + 1, rows, cols), valueOrZero(in, y, x + 2, rows, cols),
                          valueOrZero(in, y, x + 3, rows, cols));
    v[0] = __shfl_up_sync(kFullWarp, own.z, 1), v[1] = __shfl_up_sync(kFullWarp, own.w, 1);
    v[2] = own.x, v[3] = own.y, v[4] = own.z, v[5] = own.w;
    v[6] = __shfl_down_sync(kFullWarp, own.x, 1), v[7] = __shfl_down_sync(kFullWarp, own.y, 1);
    if (lane == 0) {
        v[0] = valueOrZero(in, y, x - 2, rows, cols);
        v[1] = valueOrZero(in, y, x - 1, rows, cols);
    }
    if (lane == 31) {
        v[6] = valueOrZero(in, y, x + 4, rows, cols);
        v[7] = valueOrZero(in, y, x + 5, rows, cols);
    }
}

// A thread walks down a strip of four columns and kStrip rows. Each input row is loaded once, 8 floats, and added to the five output rows
// that it belongs to; the sums rotate through registers.
extern "C" __global__ void stencil_rotated(const float* __restrict__ in, float* out, int rows, int cols)
{
    constexpr int kStrip = 16;
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    const int first = blockIdx.y * kStrip;
    float sums[kPoints][4] = {}; // of output rows y - 2 ... y + 2, while row y is added
#pragma unroll 5
    for (int y = first - kReach; y < first + kStrip + kReach; ++y) {
        float v[8];
        loadEight(v, in, y, x, rows, cols);
#pragma unroll
        for (int s = 0; s < kPoints; ++s)
#pragma unroll
            for (int c = 0; c < 4; ++c)
#pragma unroll
                for (int dx = 0; dx < kPoints; ++dx)
                    sums[s][c] = fmaf(weight(s - kReach, dx - kReach), v[c + dx], sums[s][c]);
        const int done = y - kReach;
        if (done >= first && done < rows && x < cols) {
            if (x + 4 <= cols && cols % 4 == 0)
                *reinterpret_cast<float4*>(out + done * cols + x) = make_float4(sums[0][0], sums[0][1], sums[0][2], sums[0][3]);
            else
                for (int c = 0; c < 4 && x + c < cols; ++c)
                    out[done * cols + x + c] = sums[0][c];
        }
#pragma unroll
        for (int s = 0; s < kPoints; ++s)
#pragma unroll
            for (int c = 0; c < 4; ++c)
                sums[s][c] = s + 1 < kPoints ? sums[s + 1][c] : 0.0f;
    }
}
