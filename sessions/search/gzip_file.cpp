// SPDX-License-Identifier: MIT
#include "sessions/search/gzip_file.h"

#include "core/base/write_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <new>
#include <zlib.h>

namespace kl::inline search {
namespace {

constexpr int kGzipWindow = 15 + 16; ///< the largest window, with gzip's header (zlib manual, deflateInit2)
constexpr std::size_t kPiece = 1U << 16U;

Error cannotRead(const std::filesystem::path& file, const std::string& why)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("{} cannot be read: {}.", file.string(), why),
            .hint = "Check the file.",
            .where = file.string()};
}

std::string compress(std::string_view content)
{
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc(); // the only failure of these arguments
    std::string out(deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data())); // NOLINT: zlib does not write there
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

} // namespace

Result<std::string> readPlainOrGzip(const std::filesystem::path& file, std::uint64_t limit)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        return cannotRead(file, "it is a folder");
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> open(gzopen(file.c_str(), "rb"), gzclose);
    if (!open)
        return cannotRead(file, std::strerror(errno));
    std::string content;
    std::array<char, kPiece> piece{};
    while (true) {
        const int count = gzread(open.get(), piece.data(), kPiece);
        if (count < 0) {
            int code = 0;
            const char* text = gzerror(open.get(), &code);
            return cannotRead(file, code == Z_ERRNO ? std::strerror(errno) : fmt::format("damaged gzip data ({})", text));
        }
        if (count == 0)
            break;
        content.append(piece.data(), static_cast<std::size_t>(count));
        if (content.size() > limit)
            return cannotRead(file, fmt::format("it holds more than {} bytes", limit));
    }
    int code = Z_OK;
    gzerror(open.get(), &code);
    if (code == Z_BUF_ERROR) // truncated: gzread gives what there is
        return cannotRead(file, "the compressed data ends early");
    return content;
}

Status writePlainOrGzip(const std::filesystem::path& file, std::string_view content)
{
    return file.extension() == ".gz" ? writeFile(file, compress(content)) : writeFile(file, content);
}

} // namespace kl::inline search
