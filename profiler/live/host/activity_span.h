// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace kl::inline live {

/// One activity that the GPU completed. Times are nanoseconds of the GPU's own clock as CUPTI normalizes it.
struct ActivitySpan {
    enum class Kind { kernel, memcpy, memset };

    Kind kind = Kind::kernel;
    std::string name; ///< kernel's name as in the module (not demangled); "memcpy DtoD", "memset" otherwise
    std::uint64_t startNs = 0;
    std::uint64_t endNs = 0;
    std::uint32_t correlation = 0; ///< ties the record to the driver call that issued it
    std::uint32_t stream = 0;
};

} // namespace kl::inline live
