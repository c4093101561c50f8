// SPDX-License-Identifier: MIT
#include "core/base/leftovers.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace kl {
namespace {

struct Known {
    std::mutex mutex;
    std::vector<std::filesystem::path> paths;
};

Known& known()
{
    static Known* all = new Known; // never destroyed: the thread that waits for signals outlives main
    return *all;
}

std::atomic<int> finishing = 0;

} // namespace

Leftover::Leftover(std::filesystem::path path) : path_(std::move(path))
{
    const std::lock_guard lock(known().mutex);
    known().paths.push_back(path_);
}

Leftover::Leftover(Leftover&& other) noexcept : path_(std::exchange(other.path_, {})) {}

Leftover::~Leftover()
{
    if (path_.empty())
        return;
    const std::lock_guard lock(known().mutex);
    if (const auto found = std::ranges::find(known().paths, path_); found != known().paths.end())
        known().paths.erase(found);
}

Finishing::Finishing() noexcept
{
    ++finishing;
}

Finishing::~Finishing()
{
    --finishing;
}

bool Finishing::any() noexcept
{
    return finishing > 0;
}

void removeLeftovers() noexcept
{
    const std::lock_guard lock(known().mutex);
    std::error_code ignored;
    for (const std::filesystem::path& path : known().paths)
        std::filesystem::remove_all(path, ignored);
}

} // namespace kl
