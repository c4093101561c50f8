// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

namespace kl::inline live {

/// Whether a source or one of its headers has an #include <…>: NVRTC has no such headers.
bool includesLibraryHeader(const std::string& source, const std::map<std::string, std::string>& headers);

/// Folders with the toolkit's device headers (cuda_fp16.h, and libcu++ where it has a folder of its own), of the toolkit or wheel that is
/// found first on this machine; empty without one.
const std::vector<std::string>& toolkitIncludeFolders();

} // namespace kl::inline live
