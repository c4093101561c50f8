// SPDX-License-Identifier: MIT
#include "core/base/read_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace kl {
namespace {

Error makeUnreadError(const std::filesystem::path& file, const std::string& why, const std::string& hint)
{
    return {.code = ErrorCode::badInput, .message = fmt::format("{}: {}.", file.string(), why), .hint = hint, .where = file.string()};
}

} // namespace

Result<std::string> readFile(const std::filesystem::path& file, std::int64_t limit)
{
    std::error_code failure;
    if (!std::filesystem::exists(file, failure) && !failure)
        return makeUnreadError(file, "there is no such file",
                               "Check the name; a relative path in a file begins at the folder of that file.");
    if (!failure && !std::filesystem::is_regular_file(file, failure))
        return makeUnreadError(file, "this is not a plain file", "Name a file, not a folder or a device.");
    const auto tooLarge = [&](std::uintmax_t size) {
        return makeUnreadError(file, fmt::format("the file has {} bytes, above the limit of {}", size, limit), "Make it smaller.");
    };
    const std::uintmax_t size = std::filesystem::file_size(file, failure);
    if (!failure && size > static_cast<std::uintmax_t>(limit))
        return tooLarge(size);
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::string text;
    if (!failure)
        text.reserve(size);
    std::array<char, 1 << 16> part; // in parts: files of /proc have no size
    while (in.read(part.data(), part.size()) || in.gcount() > 0) {
        text.append(part.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() > static_cast<std::uintmax_t>(limit))
            return tooLarge(text.size());
    }
    if (!in.is_open() || in.bad())
        return makeUnreadError(
            file, fmt::format("the file cannot be read: {}", std::strerror(errno)), // NOLINT(concurrency-mt-unsafe): a text of libc
            "Check its permissions.");
    return text;
}

} // namespace kl
