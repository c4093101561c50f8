// SPDX-License-Identifier: MIT
// Momentum, mass times velocity, of n particles that have eight floats each; two of them are needed. How they lie in memory is all that
// differs. Four particles per thread, whose loads are on their way together.

constexpr int kFields = 8;
constexpr int kMass = 3;
constexpr int kVelocity = 4;
constexpr int kEach = 4;

// The eight floats of a particle lie together, 32 bytes from those of the next one.
extern "C" __global__ void momentum_of_structures(const float* __restrict__ particles, float* out, int n)
{
    const int first = blockIdx.x * blockDim.x * kEach + threadIdx.x;
    float mass[kEach], velocity[kEach];
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        const int i = first + k * blockDim.x;
        const float* one = particles + static_cast<long long>(i) * kFields;
        mass[k] = i < n ? one[kMass] : 0.0f;
        velocity[k] = i < n ? one[kVelocity] : 0.0f;
    }
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        const int i = first + k * blockDim.x;
        if (i < n)
            out[i] = mass[k] * velocity[k];
    }
}

// An array for each of the eight: those of neighbors lie side by side.
extern "C" __global__ void momentum_of_arrays(const float* __restrict__ particles, float* out, int n)
{
    const float* mass = particles + static_cast<long long>(kMass) * n;
    const float* velocity = particles + static_cast<long long>(kVelocity) * n;
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * kEach;
    if (n % kEach == 0 && first < n) {
        const float4 m = *reinterpret_cast<const float4*>(mass + first);
        const float4 v = *reinterpret_cast<const float4*>(velocity + first);
        *reinterpret_cast<float4*>(out + first) = make_float4(m.x * v.x, m.y * v.y, m.z * v.z, m.w * v.w);
        return;
    }
    for (int i = first; i < min(first + kEach, n); ++i)
        out[i] = mass[i] * velocity[i];
}
