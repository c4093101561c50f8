// SPDX-License-Identifier: MIT
// Each warp walks a chain of kSteps records of 32 floats, one float per lane; the first float of a record, in [-1, 1), says where the next one
// lies. A lane's result is the sum of 0.99^s times its float of record s. The walk waits for one record after another, so that its speed is
// that of the warps which wait at the same time.

constexpr int kSteps = 192;
constexpr float kDecay = 0.99f;

__device__ int nextRecord(float value, int records)
{
    const float first = __shfl_sync(0xffffffffu, value, 0);
    return min(static_cast<int>((first + 1.0f) * (0.5f * static_cast<float>(records))), records - 1);
}

__device__ int firstRecord(int walk, int records)
{
    return static_cast<int>(static_cast<unsigned>(walk) * 2654435761u % static_cast<unsigned>(records));
}

// The sum is taken from its last term to its first, Horner's way: all values have to be at hand, in 192 registers.
extern "C" __global__ void walk_registers(const float* table, float* out, int walks, int records)
{
    const int walk = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (walk >= walks)
        return;
    float values[kSteps];
    int record = firstRecord(walk, records);
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
        values[s] = table[record * 32 + lane];
        record = nextRecord(values[s], records);
    }
    float sum = 0.0f;
#pragma unroll
    for (int s = kSteps - 1; s >= 0; --s)
        sum = fmaf(sum, kDecay, values[s]);
    out[walk * 32 + lane] = sum;
}

// The same order of summation with the values in shared memory: 48 KB for a block of two warps.
extern "C" __global__ void walk_shared(const float* table, float* out, int walks, int records)
{
    __shared__ float values[kSteps][64];
    const int walk = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (walk >= walks)
        return;
    int record = firstRecord(walk, records);
    for (int s = 0; s < kSteps; ++s) {
        const float value = table[record * 32 + lane];
        values[s][threadIdx.x] = value;
        record = nextRecord(value, records);
    }
    float sum = 0.0f;
    for (int s = kSteps - 1; s >= 0; --s)
        sum = fmaf(sum, kDecay, values[s][threadIdx.x]);
    out[walk * 32 + lane] = sum;
}

// The sum grows with the walk: a few registers. How many blocks of which size is the launch's choice.
extern "C" __global__ void walk_forward(const float* table, float* out, int walks, int records)
{
    const int walk = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (walk >= walks)
        return;
    int record = firstRecord(walk, records);
    float sum = 0.0f;
    float weight = 1.0f;
#pragma unroll 4
    for (int s = 0; s < kSteps; ++s) {
        const float value = table[record * 32 + lane];
        sum = fmaf(weight, value, sum);
        weight *= kDecay;
        record = nextRecord(value, records);
    }
    out[walk * 32 + lane] = sum;
}

// Four walks per warp: four records on their way at any time.
extern "C" __global__ void walk_four(const float* table, float* out, int walks, int records)
{
    constexpr int kAtOnce = 4;
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * kAtOnce;
    const int lane = threadIdx.x % 32;
    int record[kAtOnce];
    float sum[kAtOnce];
    for (int w = 0; w < kAtOnce; ++w) {
        record[w] = firstRecord(first + w, records);
        sum[w] = 0.0f;
    }
    float weight = 1.0f;
    for (int s = 0; s < kSteps; ++s) {
        float value[kAtOnce];
#pragma unroll
        for (int w = 0; w < kAtOnce; ++w)
            value[w] = table[record[w] * 32 + lane];
#pragma unroll
        for (int w = 0; w < kAtOnce; ++w) {
            sum[w] = fmaf(weight, value[w], sum[w]);
            record[w] = nextRecord(value[w], records);
        }
        weight *= kDecay;
    }
#pragma unroll
    for (int w = 0; w < kAtOnce; ++w)
        if (first + w < walks)
            out[(first + w) * 32 + lane] = sum[w];
}
