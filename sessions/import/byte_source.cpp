// SPDX-License-Identifier: MIT
#include "sessions/import/byte_source.h"

#include "core/base/held_files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace kl::inline imports {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 18U;
constexpr std::size_t kHead = std::size_t{1} << 18U; ///< the first block of a zstd frame, at most 128 KiB, is in it

Error unreadable(const std::string& path, const std::string& what, const std::string& hint)
{
    return {.code = ErrorCode::badInput, .message = fmt::format("{} {}.", path, what), .hint = hint, .where = path};
}

std::string errnoText(int failure)
{
    return std::strerror(failure); // NOLINT(concurrency-mt-unsafe): a text of libc
}

} // namespace

ByteSource toByteSource(std::string_view bytes)
{
    return [bytes]() mutable -> Result<std::string_view> {
        const std::string_view part = bytes.substr(0, kReadAtOnce);
        bytes.remove_prefix(part.size());
        return part;
    };
}

struct PlainFile::File {
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    using Stream = std::unique_ptr<std::FILE, Closer>;

    std::string path;
    Stream stream;
    std::string part;
};

Result<PlainFile> PlainFile::open(const std::string& path)
{
    std::error_code failure;
    const bool plain = std::filesystem::is_regular_file(path, failure);
    if (!plain && !failure && std::filesystem::exists(path, failure))
        return unreadable(path, "is not a plain file", "Name a file.");
    if (isHeld(path))
        return unreadable(path, "is the database that is open", "Its runs are there already: analyze or export them.")
            .leadTo({StepId::analyze, {}, {{StepArgument::file, "Which run, as run:ID?"}}})
            .leadTo({StepId::exportRuns});
    File::Stream stream(std::fopen(path.c_str(), "rbe"));
    if (!stream)
        return unreadable(path, "cannot be opened: " + errnoText(errno), "Check the name and the permissions.");
    PlainFile opened;
    opened.head_.resize(kHead);
    opened.head_.resize(std::fread(opened.head_.data(), 1, kHead, stream.get()));
    if (std::ferror(stream.get()) != 0)
        return unreadable(path, "cannot be read: " + errnoText(errno), "Check the disk.");
    if (opened.head_.empty())
        return unreadable(path, "is empty", "The program that should have written it may have failed.");
    opened.file_ = std::make_shared<File>(File{path, std::move(stream), std::string(kReadAtOnce, '\0')});
    return opened;
}

ByteSource PlainFile::bytes() const
{
    std::rewind(file_->stream.get());
    return [file = file_]() -> Result<std::string_view> {
        const std::size_t count = std::fread(file->part.data(), 1, file->part.size(), file->stream.get());
        if (count < file->part.size() && std::ferror(file->stream.get()) != 0)
            return unreadable(file->path, "cannot be read: " + errnoText(errno), "Check the disk.");
        return std::string_view(file->part.data(), count);
    };
}

} // namespace kl::inline imports
