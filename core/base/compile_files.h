// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_cache.h"

namespace kl {

/// Where compiled code is kept from one program to the next: the folder "compile" of the user's cache, with at most
/// $KERNELLOOP_CACHE_MB MiB (1024; 0 keeps nothing).
FileCache compileFiles();

} // namespace kl
