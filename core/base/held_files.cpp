// SPDX-License-Identifier: MIT
#include "core/base/held_files.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace kl {
namespace {

namespace fs = std::filesystem;

struct Held {
    std::mutex mutex;
    std::vector<fs::path> files; ///< absolute; one that is open twice appears twice
};

Held& getHeld()
{
    static Held& all = *new Held; // must outlive code that closes a database while the process exits
    return all;
}

} // namespace

HeldFile::HeldFile(fs::path file) : file_(std::move(file))
{
    std::error_code none;
    if (fs::path whole = fs::absolute(file_, none); !none)
        file_ = std::move(whole);
    const std::lock_guard lock(getHeld().mutex);
    getHeld().files.push_back(file_);
}

HeldFile::HeldFile(HeldFile&& other) noexcept : file_(std::exchange(other.file_, {})) {}

HeldFile::~HeldFile()
{
    if (file_.empty())
        return;
    const std::lock_guard lock(getHeld().mutex);
    getHeld().files.erase(std::ranges::find(getHeld().files, file_));
}

bool isHeld(const fs::path& file)
{
    const std::lock_guard lock(getHeld().mutex);
    return std::ranges::any_of(getHeld().files, [&](const fs::path& database) {
        return std::ranges::any_of(std::initializer_list<const char*>{"", "-wal", "-shm", "-journal"}, [&](const char* suffix) {
            std::error_code none;
            return fs::equivalent(file, database.string() + suffix, none) && !none;
        });
    });
}

} // namespace kl
