// SPDX-License-Identifier: MIT
#include "sessions/import/file_bytes.h"

#include "core/base/format.h"
#include "core/base/held_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace kl::inline imports {
namespace {

constexpr std::size_t kPart = std::size_t{1} << 20U;
constexpr const char* kSmaller = "Profile fewer kernels per report, e.g. with ncu --launch-count or --kernel-name.";

Error unusable(const std::string& path, const std::string& what, const std::string& hint)
{
    return {.code = ErrorCode::badInput, .message = fmt::format("{} {}.", path, what), .hint = hint, .where = path};
}

} // namespace

Result<FileBytes> fileBytes(const std::string& path)
{
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure))
        return unusable(path, "is a folder, not a file", "Name the files in it, e.g. FOLDER/*.ncu-rep.");
    const std::uintmax_t size = std::filesystem::file_size(path, failure); // fails for pipes, which have none
    if (!failure && size > kLargestFile)
        return unusable(
            path,
            fmt::format("has {}; the limit is {}", formatBytes(static_cast<double>(size)), formatBytes(static_cast<double>(kLargestFile))),
            kSmaller);
    if (isHeld(path))
        return unusable(path, "is the database that is open", "Its runs are there already: analyze or export them.")
            .leadTo({StepId::analyze, {}, {{StepArgument::file, "Which run, as run:ID?"}}})
            .leadTo({StepId::exportRuns});
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return unusable(path, fmt::format("cannot be opened: {}", std::strerror(errno)), "Check the name and the permissions.");
    FileBytes file;
    std::size_t room = (failure ? kPart : static_cast<std::size_t>(size)) + 1; // one more, so that the end is seen
    file.bytes_ = std::make_unique_for_overwrite<char[]>(room);
    while (in.read(file.bytes_.get() + file.size_, static_cast<std::streamsize>(room - file.size_)) || in.gcount() > 0) {
        file.size_ += static_cast<std::size_t>(in.gcount());
        if (file.size_ > kLargestFile)
            return unusable(path, fmt::format("unpacks to more than {}", formatBytes(static_cast<double>(kLargestFile))), kSmaller);
        if (file.size_ < room)
            continue;
        room *= 2; // a pipe, or a file that was added to meanwhile
        auto larger = std::make_unique_for_overwrite<char[]>(room);
        std::memcpy(larger.get(), file.bytes_.get(), file.size_);
        file.bytes_ = std::move(larger);
    }
    if (in.bad())
        return unusable(path, fmt::format("cannot be read: {}", std::strerror(errno)), "Check the disk.");
    if (file.size_ == 0)
        return unusable(path, "is empty", "The program that should have written it may have failed.");
    return file;
}

} // namespace kl::inline imports
