// SPDX-License-Identifier: MIT
// One box of TILE rows and 64 columns a block: in by one tensor copy, out by another. What reaches beyond the matrix is not written.

struct __align__(64) TensorMap {
    unsigned long long words[16];
};

__device__ unsigned sharedAddress(const void* pointer) { return (unsigned)__cvta_generic_to_shared(pointer); }

extern "C" __global__ void tma_copy(const __grid_constant__ TensorMap x, const __grid_constant__ TensorMap y)
{
    __shared__ __align__(1024) unsigned short tile[TILE * 64];
    __shared__ __align__(8) unsigned long long arrived;
    const unsigned data = sharedAddress(tile);
    const unsigned barrier = sharedAddress(&arrived);
    const int column = 64 * blockIdx.x;
    const int row = TILE * blockIdx.y;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier));
        asm volatile("fence.mbarrier_init.release.cluster;");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(TILE * 128) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(data),
                     "l"(&x), "r"(barrier), "r"(column), "r"(row)
                     : "memory");
    }
    __syncthreads();
    asm volatile("{ .reg .pred done; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0; @!done bra AGAIN; }" ::"r"(barrier) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&y), "r"(data), "r"(column), "r"(row)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
