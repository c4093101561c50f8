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

Known& getKnown()
{
    static Known* all = new Known; // never destroyed: the thread that waits for signals outlives main
    return *all;
}

std::atomic<int> finishing = 0;

} // namespace

Leftover::Leftover(std::filesystem::path path) : path_(std::move(path))
{
    const std::lock_guard lock(getKnown().mutex);
    getKnown().paths.push_back(path_);
}

Leftover::Leftover(Leftover&& other) noexcept : path_(std::exchange(other.path_, {})) {}

Leftover::~Leftover()
{
    if (path_.empty())
        return;
    const std::lock_guard lock(getKnown().mutex);
    if (const auto found = std::ranges::find(getKnown().paths, path_); found != getKnown().paths.end())
        getKnown().paths.erase(found);
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
    const std::lock_guard lock(getKnown().mutex);
    std::error_code ignored;
    for (const std::filesystem::path& path : getKnown().paths)
        std::filesystem::remove_all(path, ignored);
}

} // namespace kl
