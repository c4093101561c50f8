// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/host/shared_library.h"

namespace kl {

/// The first of `names` that one of `folders` holds (the user's python's: then a library and PyTorch are of one version); else as
/// SharedLibrary::open, with a toolkit's folders and those of `component`.
Result<SharedLibrary> openLibrary(const std::vector<std::string>& names, const std::vector<std::string>& folders,
                                  const std::string& component);

} // namespace kl
