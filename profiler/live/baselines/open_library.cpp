// SPDX-License-Identifier: MIT
#include "profiler/live/baselines/open_library.h"

#include <filesystem>
#include <fmt/format.h>

namespace kl::inline live {

Result<SharedLibrary> openLibrary(const OptionalLibrary& wanted, const std::vector<std::string>& folders)
{
    std::vector<std::string> files;
    for (const std::string& name : wanted.names)
        for (const std::string& folder : folders)
            if (std::error_code ignored; std::filesystem::exists(folder + '/' + name, ignored))
                files.push_back(folder + '/' + name);
    if (!files.empty())
        if (Result<SharedLibrary> found = SharedLibrary::open(files))
            return found;
    Result<SharedLibrary> found = SharedLibrary::open(wanted.names, toolkitLibraryFolders(wanted.component));
    if (!found)
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("{} was not found: {}.", wanted.title, found.error().message),
                     .hint = wanted.hint,
                     .where = wanted.names.front(),
                     .detail = found.error().detail};
    return found;
}

Status FunctionBinder::complete(const OptionalLibrary& wanted) const
{
    if (missing_.empty())
        return {};
    return Error{.code = ErrorCode::environment,
                 .message = fmt::format("{} has no function {}.", path(), missing_),
                 .hint = wanted.hint,
                 .where = path()};
}

} // namespace kl::inline live
