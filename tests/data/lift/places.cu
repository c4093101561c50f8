// SPDX-License-Identifier: MIT
// What moves the time of CUB's reduction of 16 MiB from an emptied L2: its physical memory, its address, how it is launched, or what
// the L2 was emptied with? Prints a row per condition and a column per physical memory, ns.
//     nvcc -std=c++20 -O3 -arch=native -o places tests/data/lift/places.cu -lcuda -lcupti && ./places
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/cub.cuh>
#include <cuda.h>
#include <cupti.h>
#include <vector>

#define CHECK(call)                                                                                                                        \
    do {                                                                                                                                   \
        if (const auto failure = (call)) {                                                                                                 \
            std::fprintf(stderr, "%s: %d\n", #call, static_cast<int>(failure));                                                            \
            std::exit(1);                                                                                                                  \
        }                                                                                                                                  \
    } while (0)

constexpr int kCount = 1 << 22;
constexpr std::size_t kBytes = kCount * sizeof(float);
constexpr int kMemories = 10;
constexpr int kLaunches = 40;
constexpr int kWarmUp = 8;

enum class Launched {
    alone, ///< as in a program whose launches are traced: the GPU is idle
    held   ///< as in a measurement: queued behind a kernel that holds the stream until everything is
};
enum class Emptied { written, read }; ///< by memset of twice its size, which leaves modified lines; and then by reading another buffer

std::vector<double> times; // of the reduction, ns

void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* most)
{
    constexpr std::size_t kBuffer = 4 << 20;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, kBuffer));
    *size = kBuffer;
    *most = 0;
}

void CUPTIAPI bufferCompleted(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid)
{
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
        if (std::strstr(kernel->name, "DeviceReduceKernel"))
            times.push_back(static_cast<double>(kernel->end - kernel->start));
    }
    std::free(buffer);
}

__global__ void hold(const volatile unsigned* open, unsigned turn)
{
    while (*open < turn) {
    }
}

__global__ void readAll(const uint4* data, std::size_t count, unsigned* sink)
{
    unsigned seen = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        seen |= __ldcg(data + i).x;
    if (seen) // the buffer is zero
        *sink = seen;
}

struct Bench {
    int l2 = 0;
    char* flush = nullptr;
    uint4* clean = nullptr;
    float* sum = nullptr;
    void* scratch = nullptr;
    std::size_t scratchBytes = 0;
    unsigned* open = nullptr; ///< of the host, mapped
    unsigned turn = 0;

    Bench()
    {
        CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
        CHECK(cudaMalloc(&flush, 2 * static_cast<std::size_t>(l2)));
        CHECK(cudaMalloc(&clean, 4 * static_cast<std::size_t>(l2)));
        CHECK(cudaMemset(clean, 0, 4 * static_cast<std::size_t>(l2)));
        CHECK(cudaMalloc(&sum, sizeof(float)));
        CHECK(cub::DeviceReduce::Sum(nullptr, scratchBytes, sum, sum, kCount));
        CHECK(cudaMalloc(&scratch, scratchBytes));
        CHECK(cudaHostAlloc(&open, sizeof *open, cudaHostAllocMapped));
        *open = 0;
    }

    double median(const float* x, Launched launched, Emptied emptied)
    {
        CHECK(cuptiActivityFlushAll(0));
        times.clear();
        for (int i = 0; i < kLaunches; ++i) {
            CHECK(cudaMemset(flush, i, 2 * static_cast<std::size_t>(l2)));
            if (emptied == Emptied::read)
                readAll<<<528, 512>>>(clean, 4 * static_cast<std::size_t>(l2) / sizeof(uint4), reinterpret_cast<unsigned*>(sum));
            if (launched == Launched::alone)
                CHECK(cudaDeviceSynchronize());
            else
                hold<<<1, 1>>>(open, ++turn);
            CHECK(cub::DeviceReduce::Sum(scratch, scratchBytes, x, sum, kCount));
            *static_cast<volatile unsigned*>(open) = turn;
            CHECK(cudaDeviceSynchronize());
        }
        CHECK(cuptiActivityFlushAll(0));
        if (times.size() != kLaunches)
            std::fprintf(stderr, "%zu of %d launches were recorded\n", times.size(), kLaunches);
        std::vector<double> kept(times.begin() + std::min<std::size_t>(kWarmUp, times.size()), times.end());
        std::ranges::sort(kept);
        return kept.empty() ? 0 : kept[kept.size() / 2];
    }
};

void map(CUdeviceptr address, CUmemGenericAllocationHandle memory, const CUmemAllocationProp& kind, const std::vector<float>& content)
{
    CHECK(cuMemMap(address, kBytes, 0, memory, 0));
    const CUmemAccessDesc access{kind.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CHECK(cuMemSetAccess(address, kBytes, &access, 1));
    CHECK(cudaMemcpy(reinterpret_cast<void*>(address), content.data(), kBytes, cudaMemcpyHostToDevice));
}

int main()
{
    CHECK(cudaSetDevice(0));
    Bench bench;
    CHECK(cuptiActivityRegisterCallbacks(bufferRequested, bufferCompleted));
    CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    std::vector<float> content(kCount);
    for (int i = 0; i < kCount; ++i)
        content[static_cast<std::size_t>(i)] = static_cast<float>((i * 7919LL) % 1021) / 1021;
    CUmemAllocationProp kind{};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUdeviceptr near = 0;
    CUdeviceptr far = 0;
    CHECK(cuMemAddressReserve(&near, kBytes, 0, 0, 0));
    CHECK(cuMemAddressReserve(&far, kBytes, 0, near + (5ULL << 30), 0));
    std::vector<CUmemGenericAllocationHandle> memories(kMemories);
    for (CUmemGenericAllocationHandle& memory : memories)
        CHECK(cuMemCreate(&memory, kBytes, &kind, 0));
    struct Condition {
        const char* name;
        CUdeviceptr address;
        Launched launched;
        Emptied emptied;
    };
    const Condition conditions[] = {{"alone, L2 written", near, Launched::alone, Emptied::written},
                                    {"alone, L2 written, again", near, Launched::alone, Emptied::written},
                                    {"alone, L2 written, 5 GiB away", far, Launched::alone, Emptied::written},
                                    {"held, L2 written", near, Launched::held, Emptied::written},
                                    {"held, L2 written, 5 GiB away", far, Launched::held, Emptied::written},
                                    {"alone, L2 read", near, Launched::alone, Emptied::read},
                                    {"held, L2 read", near, Launched::held, Emptied::read}};
    for (const Condition& condition : conditions) {
        std::printf("%-32s", condition.name);
        for (const CUmemGenericAllocationHandle memory : memories) {
            map(condition.address, memory, kind, content);
            std::printf("%6.0f", bench.median(reinterpret_cast<const float*>(condition.address), condition.launched, condition.emptied));
            CHECK(cuMemUnmap(condition.address, kBytes));
        }
        std::printf("\n");
    }
    return 0;
}
