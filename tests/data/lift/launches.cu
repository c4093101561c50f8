// SPDX-License-Identifier: MIT
// Launches of CUB and of kernels with clusters, cooperative grids, textures and foreign memory, for tests/data/lift/walk.py:
//     launches CASE [REPEATS [MIB]]   MIB: physical memory to take before, without an address
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/cub.cuh>
#include <cuda.h>

#define CHECK(call)                                                                                                                        \
    do {                                                                                                                                   \
        if (const auto failure = (call)) {                                                                                                 \
            std::fprintf(stderr, "%s: %d\n", #call, static_cast<int>(failure));                                                            \
            std::exit(1);                                                                                                                  \
        }                                                                                                                                  \
    } while (0)

namespace cg = cooperative_groups;
constexpr int kCount = 1 << 22;
constexpr int kWarmCount = 1 << 20; // fits into the L2 with everything that a timed launch is prepared from
__constant__ float scale;
__device__ float offset;

__global__ void saxpy(float* y, const float* x, float a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = scale * a * x[i] + y[i] + offset;
}

/// Each block reads its neighbor's shared memory; more of it than without the opt-in.
__global__ void __cluster_dims__(4, 1, 1) neighbors(const float* x, float* y)
{
    extern __shared__ float mine[];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
    cluster.sync();
    const float* other = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % cluster.num_blocks());
    y[blockIdx.x * blockDim.x + threadIdx.x] = other[threadIdx.x];
    cluster.sync();
}

/// The same with a cluster that the launch chooses.
__global__ void launched_clusters(const float* x, float* y)
{
    extern __shared__ float mine[];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
    cluster.sync();
    y[blockIdx.x * blockDim.x + threadIdx.x] = *cluster.map_shared_rank(mine + threadIdx.x, cluster.block_rank() ^ 1);
    cluster.sync();
}

__global__ void two_steps(float* x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int threads = gridDim.x * blockDim.x;
    for (int at = i; at < n; at += threads)
        x[at] += 1;
    cg::this_grid().sync();
    for (int at = i; at < n; at += threads)
        x[at] *= 1 + x[n - 1 - at] * 0;
}

/// Pointers in device memory: the arguments lead to a table, and that to the data.
__global__ void through_table(float* const* table, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        table[1][i] = 2 * table[0][i];
}

__global__ void from_texture(cudaTextureObject_t texture, float* y)
{
    y[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

__global__ void from_anywhere(const float* x, float* y)
{
    y[threadIdx.x] = 2 * x[threadIdx.x];
}

float* numbers(int n)
{
    float* data = nullptr;
    CHECK(cudaMalloc(&data, n * sizeof(float)));
    float* host = static_cast<float*>(std::malloc(n * sizeof(float)));
    for (int i = 0; i < n; ++i)
        host[i] = static_cast<float>((i * 7919LL) % 1021) / 1021;
    CHECK(cudaMemcpy(data, host, n * sizeof(float), cudaMemcpyHostToDevice));
    std::free(host);
    return data;
}

/// What is allocated later lies in other physical memory, at the addresses that it would have had.
void takeMemory(std::size_t mib)
{
    CUmemAllocationProp kind{};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemGenericAllocationHandle memory = 0;
    if (mib > 0)
        CHECK(cuMemCreate(&memory, mib << 20, &kind, 0));
}

/// Launches the two kernels that `work` launches into a stream one by one: `before` each, and then waits for it. Else what the first of
/// them leaves in the L2 (the state by which the blocks of CUB's scan pass on their sums) and what is queued behind a kernel change its
/// time, and no launch by itself finds either.
template <class Work, class Before> void apart(Work work, Before before)
{
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(work(stream));
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamEndCapture(stream, &graph));
    std::size_t count = 2;
    cudaGraphNode_t nodes[2] = {};
    CHECK(cudaGraphGetNodes(graph, nodes, &count));
    cudaGraphNode_t first = nullptr;
    std::size_t roots = 1;
    CHECK(cudaGraphGetRootNodes(graph, &first, &roots));
    for (const cudaGraphNode_t node : {first, nodes[first == nodes[0] ? 1 : 0]}) {
        before();
        cudaKernelNodeParams launch{};
        CHECK(cudaGraphKernelNodeGetParams(node, &launch));
        CHECK(cudaLaunchKernel(launch.func, launch.gridDim, launch.blockDim, launch.kernelParams, launch.sharedMemBytes, nullptr));
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char** argv)
{
    const char* name = argc > 1 ? argv[1] : "";
    const int repeats = argc > 2 ? std::atoi(argv[2]) : 1;
    const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
    const float scaleNow = 3, offsetNow = 0.5F;
    CHECK(cudaMemcpyToSymbol(scale, &scaleNow, sizeof scaleNow));
    CHECK(cudaMemcpyToSymbol(offset, &offsetNow, sizeof offsetNow));
    takeMemory(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0);
    int l2 = 0;
    CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
    char* flush = nullptr;
    CHECK(cudaMalloc(&flush, 2 * static_cast<std::size_t>(l2)));
    float* x = numbers(kCount);
    float* y = numbers(kCount);
    int* whole = reinterpret_cast<int*>(x); // a scan of floats adds in another order each time
    int* sums = reinterpret_cast<int*>(y);
    std::size_t bytes = 0;
    void* scratch = nullptr;
    if (is("cub_reduce"))
        CHECK(cub::DeviceReduce::Sum(nullptr, bytes, x, y, kCount));
    const bool warm = is("warm_scan");
    if (is("cub_scan") || warm)
        CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, whole, sums, warm ? kWarmCount : kCount));
    CHECK(cudaMalloc(&scratch, bytes + 1));
    float** table = nullptr;
    CHECK(cudaMalloc(&table, 2 * sizeof(float*)));
    float* both[2] = {x, y};
    CHECK(cudaMemcpy(table, both, sizeof both, cudaMemcpyHostToDevice));
    constexpr int kShared = 100 * 1024;
    CHECK(cudaFuncSetAttribute(neighbors, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
    for (int i = 0; i < repeats; ++i) {
        CHECK(cudaMemset(scratch, 0, bytes + 1)); // else the next launch would leave what is there already, and nothing could be compared
        if (!is("saxpy") && !is("two_steps"))
            CHECK(cudaMemset(y, 0, (warm ? kWarmCount : kCount) * sizeof(float)));
        const auto emptyL2 = [&] { CHECK(cudaMemset(flush, i, 2 * static_cast<std::size_t>(l2))); };
        if (!warm)
            emptyL2();
        if (is("cub_reduce"))
            apart([&](cudaStream_t stream) { return cub::DeviceReduce::Sum(scratch, bytes, x, y, kCount, stream); }, emptyL2);
        if (is("cub_scan"))
            apart([&](cudaStream_t stream) { return cub::DeviceScan::InclusiveSum(scratch, bytes, whole, sums, kCount, stream); }, emptyL2);
        if (warm)
            CHECK(cub::DeviceScan::InclusiveSum(scratch, bytes, whole, sums, kWarmCount));
        if (is("saxpy"))
            saxpy<<<kCount / 256, 256>>>(y, x, 1.5F, kCount);
        if (is("neighbors"))
            neighbors<<<1024, 256, kShared>>>(x, y);
        if (is("launched_clusters")) {
            cudaLaunchAttribute attribute{};
            attribute.id = cudaLaunchAttributeClusterDimension;
            attribute.val.clusterDim = {2, 1, 1};
            cudaLaunchConfig_t config{};
            config.gridDim = 1024;
            config.blockDim = 256;
            config.dynamicSmemBytes = 1024;
            config.attrs = &attribute;
            config.numAttrs = 1;
            CHECK(cudaLaunchKernelEx(&config, launched_clusters, static_cast<const float*>(x), y));
        }
        if (is("two_steps")) {
            int n = kCount;
            void* arguments[] = {&y, &n};
            CHECK(cudaLaunchCooperativeKernel(two_steps, dim3(132), dim3(256), arguments, 0, nullptr));
        }
        if (is("through_table"))
            through_table<<<kCount / 256, 256>>>(table, kCount);
        if (is("from_texture")) {
            cudaResourceDesc what{};
            what.resType = cudaResourceTypeLinear;
            what.res.linear = {x, cudaCreateChannelDesc<float>(), 4096};
            cudaTextureDesc how{};
            how.readMode = cudaReadModeElementType;
            cudaTextureObject_t texture = 0;
            CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
            from_texture<<<1, 256>>>(texture, y);
        }
        if (is("from_managed") || is("from_host")) {
            float* other = nullptr;
            CHECK(is("from_host") ? cudaMallocHost(&other, 4096) : cudaMallocManaged(&other, 4096));
            std::memset(other, 0, 4096);
            from_anywhere<<<1, 256>>>(other, y);
        }
        CHECK(cudaGetLastError());
    }
    CHECK(cudaDeviceSynchronize());
    return 0;
}
