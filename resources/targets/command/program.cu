// SPDX-License-Identifier: MIT
// program COUNT [check]: launches scale KLOOP_LAUNCHES times; with check, compares its result and exits with 1 if it is wrong.
#include "scale.cuh"

#include <cstdio>
#include <cstdlib>
#include <vector>

#define MUST(call)                                                                                                                         \
    if (const cudaError_t error = (call); error != cudaSuccess) {                                                                          \
        std::fprintf(stderr, "error: %s: %s\n", #call, cudaGetErrorString(error));                                                         \
        return 2;                                                                                                                          \
    }

__global__ void copy_all(const float* in, float* out, size_t count)
{
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

int main(int argc, char** argv)
{
    if (argc < 2)
        return 2;
    const auto count = static_cast<size_t>(std::atoll(argv[1]));
    const char* wanted = std::getenv("KLOOP_LAUNCHES");
    const int launches = wanted ? std::atoi(wanted) : 60;
    std::vector<float> host(count);
    for (size_t i = 0; i < count; ++i)
        host[i] = static_cast<float>(i % 65521);
    float* in = nullptr;
    float* out = nullptr;
    MUST(cudaMalloc(&in, count * sizeof(float)));
    MUST(cudaMalloc(&out, count * sizeof(float)));
    MUST(cudaMemcpy(in, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    for (int i = 0; i < launches; ++i) {
        copy_all<<<static_cast<unsigned>((count + 255) / 256), 256>>>(in, out, count);
        launchScale(in, out, count);
    }
    MUST(cudaGetLastError());
    MUST(cudaDeviceSynchronize());
    if (argc < 3)
        return 0;
    std::vector<float> result(count);
    MUST(cudaMemcpy(result.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; ++i)
        if (result[i] != 2 * host[i]) {
            std::fprintf(stderr, "error: element %zu is wrong\n", i);
            return 1;
        }
    return 0;
}
