// SPDX-License-Identifier: MIT
#include "core/base/resource.h"

#include "core/base/resource_table.h"

#include <fmt/format.h>

namespace kl {

Result<std::string_view> resource(std::string_view path)
{
    for (const EmbeddedFile& file : embeddedFiles())
        if (file.path == path)
            return file.content;
    return Error{.code = ErrorCode::notFound,
                 .message = fmt::format("This build does not contain the data file {}.", path),
                 .hint = "Reinstall KernelLoop, or rebuild it from a complete source tree.",
                 .where = std::string(path)};
}

std::vector<std::string> resourcesUnder(std::string_view prefix)
{
    std::vector<std::string> paths;
    for (const EmbeddedFile& file : embeddedFiles())
        if (file.path.starts_with(prefix))
            paths.emplace_back(file.path);
    return paths;
}

} // namespace kl
