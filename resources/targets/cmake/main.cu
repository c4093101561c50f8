// SPDX-License-Identifier: MIT
// program ROWS COLUMNS [check]: launches the transpose KLOOP_LAUNCHES times; with check, compares its result and exits with 1 if it is wrong.
#include "transpose.h"

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
    if (argc < 3)
        return 2;
    const int rows = std::atoi(argv[1]);
    const int columns = std::atoi(argv[2]);
    const char* wanted = std::getenv("KLOOP_LAUNCHES");
    const int launches = wanted ? std::atoi(wanted) : 60;
    const size_t count = static_cast<size_t>(rows) * columns;
    std::vector<float> host(count);
    for (size_t i = 0; i < count; ++i)
        host[i] = static_cast<float>(i % 65521);
    float* in = nullptr;
    float* out = nullptr;
    MUST(cudaMalloc(&in, count * sizeof(float)));
    MUST(cudaMalloc(&out, count * sizeof(float)));
    MUST(cudaMemcpy(in, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    const auto blocks = static_cast<unsigned>((count + 255) / 256);
    for (int i = 0; i < launches; ++i) {
        copy_all<<<blocks, 256>>>(in, out, count);
        launchTranspose(in, out, rows, columns);
    }
    MUST(cudaGetLastError());
    MUST(cudaDeviceSynchronize());
    if (argc < 4)
        return 0;
    std::vector<float> result(count);
    MUST(cudaMemcpy(result.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost));
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            if (result[static_cast<size_t>(column) * rows + row] != host[static_cast<size_t>(row) * columns + column]) {
                std::fprintf(stderr, "error: row %d, column %d is wrong\n", row, column);
                return 1;
            }
    return 0;
}
