// SPDX-License-Identifier: MIT
#include "kernels/file_stamps.h"

#include <algorithm>
#include <filesystem>

namespace kl::inline kernels {

FileStamps::Stamp FileStamps::of(const std::string& path)
{
    std::error_code failure;
    const auto time = std::filesystem::last_write_time(path, failure);
    if (failure)
        return {};
    const std::uintmax_t size = std::filesystem::file_size(path, failure);
    return {static_cast<std::int64_t>(time.time_since_epoch().count()), failure ? 0 : size};
}

void FileStamps::add(const KernelOrigin& origin)
{
    stamps_.try_emplace(origin.descriptor, of(origin.descriptor));
    for (const auto* paths : {&origin.sources, &origin.others})
        for (const std::string& path : *paths)
            stamps_.try_emplace(path, of(path));
}

bool FileStamps::changed() const
{
    return std::any_of(stamps_.begin(), stamps_.end(), [](const auto& entry) { return of(entry.first) != entry.second; });
}

} // namespace kl::inline kernels
