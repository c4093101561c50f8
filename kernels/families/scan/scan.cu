// SPDX-License-Identifier: MIT
// Inclusive prefix sums within segments of 1,024 floats; the last segment may be shorter.

constexpr int kSegment = 1024;
constexpr unsigned kFullWarp = 0xffffffffu;

// Hillis and Steele: ten steps over the whole segment, each with a barrier after its reads and one after its writes.
extern "C" __global__ void scan_each_step(const float* in, float* out, int n)
{
    __shared__ float sums[kSegment];
    const int t = threadIdx.x;
    const int i = blockIdx.x * kSegment + t;
    sums[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int step = 1; step < kSegment; step *= 2) {
        const float other = t >= step ? sums[t - step] : 0.0f;
        __syncthreads();
        sums[t] += other;
        __syncthreads();
    }
    if (i < n)
        out[i] = sums[t];
}

// Two arrays take turns: one barrier per step.
extern "C" __global__ void scan_two_buffers(const float* in, float* out, int n)
{
    __shared__ float sums[2][kSegment];
    const int t = threadIdx.x;
    const int i = blockIdx.x * kSegment + t;
    float own = i < n ? in[i] : 0.0f;
    int buffer = 0;
    for (int step = 1; step < kSegment; step *= 2) {
        sums[buffer][t] = own;
        __syncthreads();
        if (t >= step)
            own += sums[buffer][t - step];
        buffer ^= 1;
    }
    if (i < n)
        out[i] = own;
}

__device__ float warpScan(float value)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const float other = __shfl_up_sync(kFullWarp, value, step);
        value += lane >= step ? other : 0.0f;
    }
    return value;
}

// Shuffles within warps; shared memory and one barrier only for the warps' totals, which every warp scans for itself.
extern "C" __global__ void scan_warps(const float* in, float* out, int n)
{
    __shared__ float totals[kSegment / 32];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int i = blockIdx.x * kSegment + threadIdx.x;
    const float sum = warpScan(i < n ? in[i] : 0.0f);
    if (lane == 31)
        totals[warp] = sum;
    __syncthreads();
    const float upTo = warpScan(totals[lane]);
    const float before = __shfl_sync(kFullWarp, upTo, max(warp - 1, 0));
    if (i < n)
        out[i] = sum + (warp > 0 ? before : 0.0f);
}

// One warp per segment, no barrier: eight 16-byte loads per lane are in flight at once, their sums follow one another.
extern "C" __global__ void scan_vector(const float* in, float* out, int n)
{
    constexpr int kParts = kSegment / 128;
    const int lane = threadIdx.x % 32;
    const int first = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * kSegment + lane * 4;
    float4 part[kParts];
#pragma unroll
    for (int p = 0; p < kParts; ++p) {
        const int i = first + p * 128;
        if (i + 3 < n)
            part[p] = *reinterpret_cast<const float4*>(in + i);
        else
            part[p] = make_float4(i < n ? in[i] : 0.0f, i + 1 < n ? in[i + 1] : 0.0f, i + 2 < n ? in[i + 2] : 0.0f, 0.0f);
    }
    float before = 0.0f;
#pragma unroll
    for (int p = 0; p < kParts; ++p) {
        float4 v = part[p];
        v.y += v.x;
        v.z += v.y;
        v.w += v.z;
        const float upTo = warpScan(v.w);
        const float left = before + upTo - v.w;
        before += __shfl_sync(kFullWarp, upTo, 31);
        v = make_float4(v.x + left, v.y + left, v.z + left, v.w + left);
        const int i = first + p * 128;
        if (i + 3 < n) {
            *reinterpret_cast<float4*>(out + i) = v;
            continue;
        }
        if (i < n)
            out[i] = v.x;
        if (i + 1 < n)
            out[i + 1] = v.y;
        if (i + 2 < n)
            out[i + 2] = v.z;
    }
}

#ifndef PADDED
#define PADDED 0
#endif

// Place of element i of a segment in shared memory; padded, 32 elements are followed by a free word.
__device__ int placeOf(int i)
{
    return PADDED ? i + i / 32 : i;
}

// One warp per segment, in shared memory: each lane adds up 32 neighbors, then what the lanes before it found. Lanes work 32 words apart, all
// in one bank, unless the rows are padded.
extern "C" __global__ void scan_parts(const float* in, float* out, int n)
{
    constexpr int kWarps = 8;
    __shared__ float values[kWarps][kSegment + (PADDED ? 32 : 0)];
    const int lane = threadIdx.x % 32;
    float* own = values[threadIdx.x / 32];
    const int first = (blockIdx.x * kWarps + threadIdx.x / 32) * kSegment;
#pragma unroll 8
    for (int i = lane; i < kSegment; i += 32)
        own[placeOf(i)] = first + i < n ? in[first + i] : 0.0f;
    __syncwarp();
    float sum = 0.0f;
    for (int i = lane * 32; i < lane * 32 + 32; ++i) {
        sum += own[placeOf(i)];
        own[placeOf(i)] = sum;
    }
    const float before = warpScan(sum) - sum;
    __syncwarp();
#pragma unroll 8
    for (int i = lane; i < kSegment; i += 32) {
        const float left = __shfl_sync(kFullWarp, before, i / 32);
        if (first + i < n)
            out[first + i] = own[placeOf(i)] + left;
    }
}
