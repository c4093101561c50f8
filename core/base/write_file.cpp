// SPDX-License-Identifier: MIT
#include "core/base/write_file.h"

#include "core/base/file_writer.h"
#include "core/base/held_files.h"
#include "core/base/not_written.h"
#include "core/base/try.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace kl {

namespace fs = std::filesystem;

namespace {

/// By the first bytes ("Database File Format", section 1.3). Not for one that is held: nothing may open that.
bool startsAsDatabase(const fs::path& file)
{
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    std::error_code none;
    if (!fs::is_regular_file(file, none))
        return false;
    std::array<char, kMagic.size()> first{};
    std::ifstream in(file, std::ios::binary);
    return in.read(first.data(), first.size()) && std::string_view(first.data(), first.size()) == kMagic;
}

} // namespace

Error makeNotWrittenError(const fs::path& file, int failure)
{
    const std::string why = std::strerror(failure); // NOLINT(concurrency-mt-unsafe): a text of libc
    return {.code = ErrorCode::badInput,
            .message = fmt::format("{} cannot be written: {}.", file.string(), why),
            .hint = "Check that the folder exists, is writable and has free space, or choose another file.",
            .where = file.string()};
}

Status checkReplaceable(const fs::path& file)
{
    const bool held = isHeld(file);
    if (!held && !startsAsDatabase(file))
        return {};
    return Error{.code = ErrorCode::badInput,
                 .message =
                     fmt::format("{} is {}: it was left as it is.", file.string(), held ? "the database that is open" : "a database"),
                 .hint = "Choose another file.",
                 .where = file.string()};
}

Status writeFile(const fs::path& file, std::string_view text)
{
    KL_ASSIGN(FileWriter writer, FileWriter::begin(file));
    const Status written = writer.write(text);
    return written ? writer.finish() : written;
}

Status checkWritable(const fs::path& file)
{
    std::error_code none;
    KL_TRY(checkReplaceable(file));
    if (fs::is_directory(file, none))
        return makeNotWrittenError(file, EISDIR);
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const bool writable = fs::exists(file, none) ? ::access(file.c_str(), W_OK) == 0 : ::access(folder.c_str(), W_OK | X_OK) == 0;
    return writable ? Status{} : makeNotWrittenError(file, errno);
}

} // namespace kl
