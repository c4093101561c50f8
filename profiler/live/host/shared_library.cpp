// SPDX-License-Identifier: MIT
#include "profiler/live/host/shared_library.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <glob.h>
#include <link.h>

namespace kl::inline live {
namespace {

std::vector<std::string> expandGlob(const std::string& pattern)
{
    std::vector<std::string> found;
    glob_t matches{};
    if (::glob(pattern.c_str(), 0, nullptr, &matches) == 0)
        for (std::size_t i = 0; i < matches.gl_pathc; ++i)
            found.emplace_back(matches.gl_pathv[i]);
    ::globfree(&matches);
    std::sort(found.rbegin(), found.rend()); // the newest version first
    return found;
}

/// The file behind a handle; `name` if the loader does not report it.
std::string findFile(void* handle, const std::string& name)
{
    link_map* map = nullptr;
    return ::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_name && *map->l_name ? map->l_name : name;
}

void addToolkit(std::vector<std::string>& folders, const std::string& root)
{
    for (const char* part : {"/lib64", "/targets/x86_64-linux/lib", "/lib", "/extras/CUPTI/lib64"})
        folders.push_back(root + part);
}

} // namespace

Result<SharedLibrary> SharedLibrary::open(const std::vector<std::string>& names, const std::vector<std::string>& folders)
{
    // What the process has loaded already is used: a second copy beside it would not see the first one's state.
    for (const std::string& name : names)
        if (void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD))
            return SharedLibrary(handle, findFile(handle, name));
    std::string firstProblem;
    const auto attempt = [&](const std::string& file) -> void* {
        void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle && firstProblem.empty())
            if (const char* text = ::dlerror())
                firstProblem = text;
        return handle;
    };
    for (const std::string& name : names) {
        if (void* handle = attempt(name))
            return SharedLibrary(handle, findFile(handle, name));
        for (const std::string& folder : folders) {
            const std::string file = folder + '/' + name;
            std::error_code ignored;
            if (!std::filesystem::exists(file, ignored))
                continue;
            firstProblem.clear(); // a file that exists and does not load is more informative than "not found"
            if (void* handle = attempt(file))
                return SharedLibrary(handle, file);
        }
    }
    return Error{.code = ErrorCode::environment,
                 .message = fmt::format("{} could not be loaded: {}", names.empty() ? "library" : names.front(), firstProblem),
                 .where = names.empty() ? std::string() : names.front(),
                 .detail = fmt::format("folders tried: {}", fmt::join(folders, ", "))};
}

void* SharedLibrary::symbol(const char* name) const noexcept
{
    return ::dlsym(handle_, name);
}

std::vector<std::string> toolkitLibraryFolders(const std::string& component)
{
    std::vector<std::string> folders;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* root = std::getenv(variable); root && *root)
            addToolkit(folders, root);
    addToolkit(folders, "/usr/local/cuda");
    for (const std::string& root : expandGlob("/usr/local/cuda-*"))
        addToolkit(folders, root);
    const char* home = std::getenv("HOME");
    for (const std::string& base : {std::string("/usr/local/lib/python3*/*-packages"), std::string("/usr/lib/python3*/*-packages"),
                                    home ? std::string(home) + "/.local/lib/python3*/site-packages" : std::string()}) {
        if (base.empty())
            continue;
        for (const std::string& folder : expandGlob(base + "/nvidia/cu1*/lib")) // wheels since CUDA 13
            folders.push_back(folder);
        if (!component.empty())
            for (const std::string& folder : expandGlob(base + "/nvidia/" + component + "/lib"))
                folders.push_back(folder);
    }
    std::erase_if(folders, [](const std::string& folder) {
        std::error_code ignored;
        return !std::filesystem::is_directory(folder, ignored);
    });
    return folders;
}

} // namespace kl::inline live
