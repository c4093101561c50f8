// SPDX-License-Identifier: MIT
#include "profiler/live/nvrtc/toolkit_headers.h"

#include "kernels/inclusions.h"
#include "profiler/live/host/shared_library.h"

#include <algorithm>
#include <filesystem>

namespace kl::inline live {
namespace {

namespace fs = std::filesystem;

bool hasAngledInclude(const std::string& text)
{
    return std::ranges::any_of(findInclusions(text), [](const Inclusion& one) { return one.form == Inclusion::Form::angled; });
}

std::vector<std::string> findFolders()
{
    for (const char* component : {"cuda_runtime", "cuda_nvrtc"})
        for (const std::string& libraries : toolkitLibraryFolders(component))
            for (const char* relative : {"../include", "../targets/x86_64-linux/include", "../targets/sbsa-linux/include"}) {
                std::error_code ignored;
                const fs::path folder = fs::weakly_canonical(fs::path(libraries) / relative, ignored);
                if (!fs::exists(folder / "cuda_fp16.h", ignored))
                    continue;
                std::vector<std::string> found{folder.string()};
                if (fs::is_directory(folder / "cccl", ignored)) // since CUDA 13 libcu++ and CUB lie in a folder of their own
                    found.push_back((folder / "cccl").string());
                return found;
            }
    return {};
}

} // namespace

bool includesLibraryHeader(const std::string& source, const std::map<std::string, std::string>& headers)
{
    return hasAngledInclude(source) ||
           std::any_of(headers.begin(), headers.end(), [](const auto& header) { return hasAngledInclude(header.second); });
}

const std::vector<std::string>& toolkitIncludeFolders()
{
    static const std::vector<std::string> folders = findFolders();
    return folders;
}

} // namespace kl::inline live
