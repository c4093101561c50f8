// SPDX-License-Identifier: MIT
// What one GPU reaches: DRAM copied and read, L2, L1 and shared memory read, FP32, FP64 and tensor-core multiply-adds. Medians of nine
// launches after one that warms up. The best figure of each kind stands in resources/devices.json under "measured".
//   nvcc -O3 -arch=sm_90a tests/bench/roofs.cu -o roofs && ./roofs
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                                                        \
    do {                                                                                                                                   \
        const cudaError_t failure = (call);                                                                                                \
        if (failure != cudaSuccess) {                                                                                                      \
            std::printf("%s: %s\n", #call, cudaGetErrorString(failure));                                                                   \
            std::exit(1);                                                                                                                  \
        }                                                                                                                                  \
    } while (0)

constexpr float kNever = 12345.678f; // a sum that does not come up: the loads must not be optimized away

__global__ void readDram(const float4* in, float* out, std::size_t count)
{
    float sum = 0;
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i + 3 * stride < count; i += 4 * stride) {
        float4 value[4];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            value[k] = in[i + k * stride];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            sum += value[k].x + value[k].y + value[k].z + value[k].w;
    }
    if (sum == kNever)
        *out = sum;
}

/// Every block goes through the whole small buffer, past L1, each from a place of its own.
__global__ void readL2(const float4* in, float* out, std::size_t count, int rounds)
{
    float sum = 0;
    const std::size_t chunks = count / blockDim.x;
    std::size_t chunk = blockIdx.x * std::size_t(37) % chunks;
    for (int round = 0; round < rounds; ++round) {
        float4 value[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const float4* at = in + chunk * blockDim.x + threadIdx.x;
            asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(value[k].x), "=f"(value[k].y), "=f"(value[k].z), "=f"(value[k].w)
                         : "l"(at));
            chunk = chunk + 1 == chunks ? 0 : chunk + 1;
        }
#pragma unroll
        for (int k = 0; k < 8; ++k)
            sum += value[k].x + value[k].w;
    }
    if (sum == kNever)
        *out = sum;
}

/// All warps of an SM read the same 16 KB, from another place each time.
__global__ void readL1(const float4* in, float* out, int rounds)
{
    float sum = 0;
    unsigned at = threadIdx.x % 1024;
    for (int round = 0; round < rounds; ++round) {
        float4 value[8];
#pragma unroll
        for (int k = 0; k < 8; ++k)
            asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(value[k].x), "=f"(value[k].y), "=f"(value[k].z), "=f"(value[k].w)
                         : "l"(in + ((at + 32 * k) & 1023)));
        at = (at + 32) & 1023;
#pragma unroll
        for (int k = 0; k < 8; ++k)
            sum += value[k].x + value[k].w;
    }
    if (sum == kNever)
        *out = sum;
}

__global__ void readShared(float* out, int rounds)
{
    __shared__ float4 tile[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        tile[i] = make_float4(i, 0, 0, i);
    __syncthreads();
    float sum = 0;
    unsigned at = threadIdx.x % 1024;
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const float4 value = tile[(at + 32 * k) & 1023];
            sum += value.x + value.w;
        }
        at = (at + 32) & 1023;
    }
    if (sum == kNever)
        *out = sum;
}

template <class T> __global__ void multiplyAdd(T* out, T a, T b, int rounds)
{
    T value[8];
#pragma unroll
    for (int k = 0; k < 8; ++k)
        value[k] = T(threadIdx.x + k);
    for (int round = 0; round < rounds; ++round)
#pragma unroll
        for (int i = 0; i < 64; ++i)
            value[i % 8] = value[i % 8] * a + b;
    T sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k)
        sum += value[k];
    if (sum == T(kNever))
        *out = sum;
}

/// Four independent m16n8k16 products a warp and round.
__global__ void mmaSync(float* out, int rounds)
{
    const unsigned one = 0x3c003c00u; // two halves of 1.0
    const unsigned b[2] = {threadIdx.x, threadIdx.x * 3};
    float d[4][4] = {};
    for (int round = 0; round < rounds; ++round)
#pragma unroll
        for (int k = 0; k < 4; ++k)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %6}, {%0, %1, %2, %3};"
                         : "+f"(d[k][0]), "+f"(d[k][1]), "+f"(d[k][2]), "+f"(d[k][3])
                         : "r"(one), "r"(b[0]), "r"(b[1]));
    float sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += d[k][0] + d[k][3];
    if (sum == kNever)
        *out = sum;
}

#define D4(i) "+f"(d[i]), "+f"(d[(i) + 1]), "+f"(d[(i) + 2]), "+f"(d[(i) + 3])
#define D16(i) D4(i), D4((i) + 4), D4((i) + 8), D4((i) + 12)

/// Four m64n256k16 products a warpgroup and round, operands in shared memory with the 128-byte swizzle; what they are is of no matter.
__global__ void __launch_bounds__(128) wgmma(float* out, int rounds)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    extern __shared__ __align__(1024) unsigned char operands[];
    for (int i = threadIdx.x; i < 40960 / 4; i += 128)
        reinterpret_cast<unsigned*>(operands)[i] = 0x3c003800u + i % 7;
    asm volatile("fence.proxy.async;");
    __syncthreads();
    const auto descriptor = [](unsigned address) {
        return std::uint64_t((address & 0x3FFFF) >> 4) | std::uint64_t(1) << 16 | std::uint64_t(64) << 32 | std::uint64_t(1) << 62;
    };
    const unsigned base = unsigned(__cvta_generic_to_shared(operands));
    const std::uint64_t a = descriptor(base), b = descriptor(base + 8192);
    float d[128] = {};
    for (int round = 0; round < rounds; ++round) {
        asm volatile("wgmma.fence.sync.aligned;");
#pragma unroll
        for (int k = 0; k < 4; ++k)
            asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
                         "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                         "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                         "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                         "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                         "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                         "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
                         "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
                         "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
                         "%128, %129, 1, 1, 1, 0, 0;"
                         : D16(0), D16(16), D16(32), D16(48), D16(64), D16(80), D16(96), D16(112)
                         : "l"(a + 2 * k), "l"(b + 2 * k));
        asm volatile("wgmma.commit_group.sync.aligned;");
        asm volatile("wgmma.wait_group.sync.aligned 0;");
    }
    float sum = 0;
    for (int i = 0; i < 128; ++i)
        sum += d[i];
    if (sum == kNever)
        *out = sum;
#endif
}

double medianMs(const std::function<void()>& launch)
{
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    launch();
    CHECK(cudaDeviceSynchronize());
    std::vector<float> times(9);
    for (float& ms : times) {
        CHECK(cudaEventRecord(begin));
        launch();
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&ms, begin, end));
    }
    CHECK(cudaGetLastError());
    std::sort(times.begin(), times.end());
    return times[4];
}

void tell(const std::string& name, double work, const char* unit, const std::function<void()>& launch)
{
    const double ms = medianMs(launch);
    std::printf("%-34s %8.3f ms  %8.2f %s\n", name.c_str(), ms, work / ms / 1e9, unit);
}

int main()
{
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    const int sms = device.multiProcessorCount;
    std::printf("%s, %d SMs, %d MB of L2\n", device.name, sms, device.l2CacheSize >> 20);
    const std::size_t bytes = std::size_t(2) << 30;
    float4 *in, *other;
    float* out;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&other, bytes));
    CHECK(cudaMalloc(&out, 8));
    CHECK(cudaMemset(in, 0, bytes));
    tell("DRAM copy", 2.0 * bytes, "TB/s", [&] { cudaMemcpyAsync(other, in, bytes, cudaMemcpyDeviceToDevice); });
    tell("DRAM read", bytes, "TB/s", [&] { readDram<<<sms * 8, 256>>>(in, out, bytes / 16); });
    for (const int threads : {256, 512, 1024})
        for (const int blocks : {1, 2})
            tell("L2 read, " + std::to_string(blocks) + " x " + std::to_string(threads) + " threads an SM",
                 1.0 * sms * blocks * threads * 16 * 8 * 512, "TB/s",
                 [&] { readL2<<<sms * blocks, threads>>>(in, out, std::size_t(4) << 16, 512); });
    const double perSm = 1.0 * sms * 2048 * 16 * 8 * 2048;
    tell("L1 read", perSm, "TB/s", [&] { readL1<<<sms * 2, 1024>>>(in, out, 2048); });
    tell("shared memory read", perSm, "TB/s", [&] { readShared<<<sms * 2, 1024>>>(out, 2048); });
    tell("FP32", 2.0 * 64 * 20000 * sms * 2048, "TFLOP/s", [&] { multiplyAdd<float><<<sms * 8, 256>>>(out, 0.999f, 0.5f, 20000); });
    tell("FP64", 2.0 * 64 * 10000 * sms * 2048, "TFLOP/s",
         [&] { multiplyAdd<double><<<sms * 8, 256>>>(reinterpret_cast<double*>(out), 0.999, 0.5, 10000); });
    tell("mma.sync FP16, 16 warps an SM", 2.0 * 16 * 8 * 16 * 4 * 40000 * sms * 16, "TFLOP/s",
         [&] { mmaSync<<<sms * 2, 256>>>(out, 40000); });
    CHECK(cudaFuncSetAttribute(wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152));
    tell("wgmma FP16, 2 warpgroups an SM", 2.0 * 64 * 256 * 16 * 4 * 20000 * sms * 2, "TFLOP/s",
         [&] { wgmma<<<sms * 2, 128, 49152>>>(out, 20000); });
    return 0;
}
