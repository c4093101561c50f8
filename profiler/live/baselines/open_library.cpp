// SPDX-License-Identifier: MIT
#include "profiler/live/baselines/open_library.h"

#include <filesystem>

namespace kl {

Result<SharedLibrary> openLibrary(const std::vector<std::string>& names, const std::vector<std::string>& folders,
                                  const std::string& component)
{
    std::vector<std::string> files;
    for (const std::string& name : names)
        for (const std::string& folder : folders)
            if (std::error_code ignored; std::filesystem::exists(folder + '/' + name, ignored))
                files.push_back(folder + '/' + name);
    if (!files.empty())
        if (Result<SharedLibrary> found = SharedLibrary::open(files))
            return found;
    return SharedLibrary::open(names, toolkitLibraryFolders(component));
}

} // namespace kl
