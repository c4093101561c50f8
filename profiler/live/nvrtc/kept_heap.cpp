// SPDX-License-Identifier: MIT
#include "profiler/live/nvrtc/kept_heap.h"

#include <climits>
#include <malloc.h>

namespace kl::inline live {

#ifdef __GLIBC__

namespace {

constexpr int kUsual = 128 * 1024;         ///< glibc's own value of both limits (mallopt(3))
constexpr int kLargest = 32 * 1024 * 1024; ///< that M_MMAP_THRESHOLD takes

} // namespace

KeptHeap::KeptHeap()
{
    mallopt(M_MMAP_THRESHOLD, kLargest);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

KeptHeap::~KeptHeap()
{
    mallopt(M_MMAP_THRESHOLD, kUsual);
    mallopt(M_TRIM_THRESHOLD, kUsual);
    malloc_trim(0);
}

#else

KeptHeap::KeptHeap() = default;
KeptHeap::~KeptHeap() = default;

#endif

} // namespace kl::inline live
