// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cerrno>
#include <filesystem>
#include <stdlib.h>
#include <string>
#include <system_error>
#include <utility>

namespace kl {

/// A folder of its own in $TMPDIR, in /tmp where that is not set; gone with the object.
class ScratchFolder {
public:
    /// Error environment with the reason: there is no such place, or none that can be written.
    static Result<ScratchFolder> make()
    {
        std::error_code failure;
        std::filesystem::path place = std::filesystem::temp_directory_path(failure);
        if (!failure) // absolute, since it is named to programs that run elsewhere
            place = std::filesystem::absolute(place, failure);
        std::string path = (place / "kloop-XXXXXX").string();
        if (!failure && !::mkdtemp(path.data()))
            failure = {errno, std::generic_category()};
        if (failure)
            return Error{ErrorCode::environment, "No temporary folder can be made: " + failure.message() + '.',
                         "Point TMPDIR to a folder that can be written.", "TMPDIR", place.string()};
        return ScratchFolder(std::move(path));
    }
    ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder()
    {
        std::error_code ignored;
        if (!path_.empty())
            std::filesystem::remove_all(path_, ignored);
    }
    /// Absolute; empty when moved from.
    const std::filesystem::path& path() const noexcept { return path_; }

private:
    explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
};

} // namespace kl
