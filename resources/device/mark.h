// SPDX-License-Identifier: MIT
// KernelLoop's marks inside a kernel: `kloop timeline` shows what lies between them. KernelLoop provides this header to kernels that it
// compiles: #include <kernelloop/mark.h>. Everywhere but in the build for a timeline, marks are nothing, and the code is the same as
// without them.
//
//     KL_MARK_NAME(0, "load: wait for multiply"); // at namespace scope; "ROLE: SEGMENT"; a segment that begins with "wait" is a wait
//     KL_MARK(0);                                 // in a kernel: from here to the warp's next mark is segment 0
//
// Ids are 0 to 1023 and may be computed. Lane 0 of each warp records; a mark that it does not reach is not recorded.
#pragma once

#ifdef KL_TIMELINE
struct KlMarkName {
    int id;
    char text[60];
};
#define KL_MARK_JOIN2(a, b) a##b
#define KL_MARK_JOIN(a, b) KL_MARK_JOIN2(a, b)
#define KL_MARK(id) asm volatile("// kl.mark %0" ::"r"(static_cast<int>(id)) : "memory")
#define KL_MARK_NAME(id, text) extern "C" __device__ KlMarkName KL_MARK_JOIN(kl_mark_name_, __LINE__) = {id, text}
#else
#define KL_MARK(id) static_cast<void>(0)
#define KL_MARK_NAME(id, text) static_assert(true, text)
#endif
