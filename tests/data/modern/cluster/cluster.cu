// SPDX-License-Identifier: MIT
// Two blocks of a cluster swap their tiles of 256 elements: each reads the other's shared memory.

extern "C" __global__ void swap_pairs(const float* x, float* y)
{
    __shared__ float tile[256];
    const unsigned at = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = x[at];
    asm volatile("barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;" ::: "memory");
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    unsigned other;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"((unsigned)__cvta_generic_to_shared(&tile[threadIdx.x])), "r"(rank ^ 1));
    float value;
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(other));
    y[at] = value;
    // Nobody leaves while the other still reads its shared memory.
    asm volatile("barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
