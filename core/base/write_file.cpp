// SPDX-License-Identifier: MIT
#include "core/base/write_file.h"

#include "core/base/file_writer.h"
#include "core/base/held_files.h"
#include "core/base/not_written.h"
#include "core/base/try.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace kl {

namespace fs = std::filesystem;

Error makeNotWrittenError(const fs::path& file, int failure)
{
    const std::string why = std::strerror(failure); // NOLINT(concurrency-mt-unsafe): a text of libc
    return {.code = ErrorCode::badInput,
            .message = fmt::format("{} cannot be written: {}.", file.string(), why),
            .hint = "Check that the folder exists, is writable and has free space, or choose another file.",
            .where = file.string()};
}

Error makeNotReplacedError(const fs::path& file)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("{} is the database that is open: it was left as it is.", file.string()),
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
    if (isHeld(file))
        return makeNotReplacedError(file);
    if (fs::is_directory(file, none))
        return makeNotWrittenError(file, EISDIR);
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const bool writable = fs::exists(file, none) ? ::access(file.c_str(), W_OK) == 0 : ::access(folder.c_str(), W_OK | X_OK) == 0;
    return writable ? Status{} : makeNotWrittenError(file, errno);
}

} // namespace kl
