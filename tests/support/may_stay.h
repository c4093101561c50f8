// SPDX-License-Identifier: MIT
#pragma once

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace kl::test {

/// What is allocated while it lives may stay until the process ends: the injected library frees nothing that its program may still use.
class MayStay {
public:
#ifdef __SANITIZE_ADDRESS__
    MayStay()
    {
        __lsan_disable();
    }
    ~MayStay()
    {
        __lsan_enable();
    }
#else
    MayStay() = default;
    ~MayStay() {}
#endif
    MayStay(const MayStay&) = delete;
    MayStay& operator=(const MayStay&) = delete;
};

} // namespace kl::test
