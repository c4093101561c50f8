// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/leftovers.h"
#include "core/base/result.h"

#include <cerrno>
#include <filesystem>
#include <stdlib.h>
#include <string>
#include <system_error>
#include <utility>

namespace kl {

/// A private folder in $TMPDIR, or /tmp if that is unset; removed by the destructor.
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
            return Error{.code = ErrorCode::environment,
                         .message = "Cannot create a temporary folder: " + failure.message() + '.',
                         .hint = "Set TMPDIR to a writable folder.",
                         .where = "TMPDIR",
                         .detail = place.string()};
        return ScratchFolder(std::move(path));
    }
    ScratchFolder(ScratchFolder&&) noexcept = default;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder()
    {
        std::error_code ignored;
        if (!path().empty())
            std::filesystem::remove_all(path(), ignored);
    }
    /// Absolute; empty when moved from.
    const std::filesystem::path& path() const noexcept { return folder_.path(); }

private:
    explicit ScratchFolder(std::filesystem::path path) : folder_(std::move(path)) {}
    Leftover folder_;
};

} // namespace kl
