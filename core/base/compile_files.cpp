// SPDX-License-Identifier: MIT
#include "core/base/compile_files.h"

#include <cstdlib>

namespace kl {

FileCache compileFiles()
{
    std::uint64_t megabytes = 1024;
    if (const char* text = std::getenv("KERNELLOOP_CACHE_MB"); text && *text >= '0' && *text <= '9')
        megabytes = std::strtoull(text, nullptr, 10);
    return {megabytes > 0 ? FileCache::locateFolder("compile") : std::filesystem::path(), megabytes << 20U};
}

} // namespace kl
