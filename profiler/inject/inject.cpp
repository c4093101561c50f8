// SPDX-License-Identifier: MIT
// What the CUDA driver and the NVTX headers call in the library that their environment variables name.
#include "profiler/inject/nvtx_ranges.h"
#include "profiler/inject/tracer.h"

#define KL_EXPORT extern "C" __attribute__((visibility("default")))

/// CUDA_INJECTION64_PATH: inside cuInit. The answer is not looked at, by CUPTI's samples 1 for success.
KL_EXPORT int InitializeInjection()
{
    kl::inject::Tracer::begin();
    return 1;
}

/// NVTX_INJECTION64_PATH: at the first NVTX call of each library that uses it.
KL_EXPORT int InitializeInjectionNvtx2(kl::inject::nvtx::GetExportTable exportTable)
{
    return kl::inject::nvtx::attach(exportTable) ? 1 : 0;
}
