// SPDX-License-Identifier: MIT
#include "sessions/import/file_bytes.h"

#include "core/base/format.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace kl {
namespace {

constexpr std::uintmax_t kLargest = std::uintmax_t{2} << 30U;
constexpr const char* kSmaller = "Profile fewer kernels for one report, as with ncu --launch-count or --kernel-name.";

Error unusable(const std::string& path, const std::string& what, const std::string& hint)
{
    return {ErrorCode::badInput, fmt::format("{} {}.", path, what), hint, path, {}};
}

} // namespace

Result<std::string> fileBytes(const std::string& path)
{
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure))
        return unusable(path, "is a folder, not a file", "Name the files in it, as FOLDER/*.ncu-rep.");
    const std::uintmax_t size = std::filesystem::file_size(path, failure); // fails for pipes, which have none
    if (!failure && size > kLargest)
        return unusable(path,
                        fmt::format("has {}, and at most {} are read", formatBytes(static_cast<double>(size)),
                                    formatBytes(static_cast<double>(kLargest))),
                        kSmaller);
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return unusable(path, fmt::format("cannot be opened: {}", std::strerror(errno)), "Check the name and the permission.");
    std::string bytes(failure ? 0 : static_cast<std::size_t>(size), '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    std::string part(1U << 20U, '\0'); // of a pipe all, of a file what was added meanwhile
    while (in.read(part.data(), static_cast<std::streamsize>(part.size())) || in.gcount() > 0) {
        bytes.append(part, 0, static_cast<std::size_t>(in.gcount()));
        if (bytes.size() > kLargest)
            return unusable(path, fmt::format("gives more than {}", formatBytes(static_cast<double>(kLargest))), kSmaller);
    }
    if (in.bad())
        return unusable(path, fmt::format("cannot be read: {}", std::strerror(errno)), "Check the disk.");
    if (bytes.empty())
        return unusable(path, "is empty", "The program that should have written it may have failed.");
    return bytes;
}

} // namespace kl
