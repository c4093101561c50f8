// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace kl::inline live {

/// A library loaded at run time, so that all programs start on a machine without it. Never unloaded: drivers have
/// their own threads and exit handlers.
class SharedLibrary {
public:
    /// Loads the first of `names` that exists: one that is already loaded, else a file name is looked up by the loader, then
    /// in every folder of `folders`.
    /// Error environment lists what was tried.
    static Result<SharedLibrary> open(const std::vector<std::string>& names, const std::vector<std::string>& folders = {});

    /// Address of an exported function, or null.
    void* symbol(const char* name) const noexcept;

    /// symbol() as a function pointer type: `auto f = library.function<decltype(&cuInit)>("cuInit");`
    template <class F> F function(const char* name) const noexcept { return reinterpret_cast<F>(symbol(name)); }

    /// The file that was loaded.
    const std::string& path() const noexcept { return path_; }

private:
    SharedLibrary(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}

    void* handle_ = nullptr;
    std::string path_;
};

/// Folders where a CUDA toolkit keeps its libraries on this machine: $CUDA_HOME, $CUDA_PATH, /usr/local/cuda*, NVIDIA's pip
/// wheels. `component` adds the wheel of one part ("cuda_nvrtc", "cuda_cupti"). Existing folders only, best first.
std::vector<std::string> toolkitLibraryFolders(const std::string& component = {});

} // namespace kl::inline live
