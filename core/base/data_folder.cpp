// SPDX-License-Identifier: MIT
#include "core/base/data_folder.h"

#include <cstdlib>
#include <string>

namespace kl {

std::filesystem::path dataFolder()
{
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): never changed
        return std::string(value == nullptr ? "" : value);
    };
    const std::string data = variable("XDG_DATA_HOME");
    // The XDG specification asks to ignore a relative path.
    const std::filesystem::path base =
        data.starts_with('/') ? std::filesystem::path(data) : std::filesystem::path(variable("HOME")) / ".local/share";
    return base / "kernelloop";
}

} // namespace kl
