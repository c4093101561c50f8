// SPDX-License-Identifier: MIT
#include "kernels/data/packed_data.h"

#include "core/base/format.h"

#include <fmt/format.h>
#include <memory>
#include <zstd.h>

namespace kl::inline kernels {
namespace {

constexpr int kLevel = 3;      ///< random numbers do not get smaller, and zeros do at any level
constexpr int kWindowLog = 23; ///< 8 MiB: more than zstd uses at this level

struct FreeContext {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

Error makeDamageError(const std::string& where, const std::string& what)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("{}: {}.", where, what),
            .hint = "Lift the launch again, or copy the folder again.",
            .where = where};
}

} // namespace

std::string packData(std::string_view bytes)
{
    const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::string frame(ZSTD_compressBound(bytes.size()), '\0');
    frame.resize(ZSTD_compress2(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size()));
    return frame;
}

Status checkPacked(std::string_view frame, std::int64_t bytes, const std::string& where)
{
    const unsigned long long reportedSize = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (reportedSize == ZSTD_CONTENTSIZE_ERROR)
        return makeDamageError(where, "the file is not compressed by zstd");
    if (reportedSize != ZSTD_CONTENTSIZE_UNKNOWN && reportedSize != static_cast<unsigned long long>(bytes))
        return makeDamageError(where, fmt::format("the file holds {} bytes, the buffer has {}", reportedSize, bytes));
    const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
    ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kWindowLog);
    std::vector<char> part(ZSTD_DStreamOutSize());
    ZSTD_inBuffer in{frame.data(), frame.size(), 0};
    std::int64_t seen = 0;
    for (std::size_t left = 1; left != 0;) {
        ZSTD_outBuffer out{part.data(), part.size(), 0};
        const std::size_t taken = in.pos;
        left = ZSTD_decompressStream(context.get(), &out, &in);
        if (ZSTD_isError(left))
            return makeDamageError(where, fmt::format("the file is damaged: {}", ZSTD_getErrorName(left)));
        seen += static_cast<std::int64_t>(out.pos);
        if (seen > bytes)
            return makeDamageError(where, fmt::format("the file holds more than the buffer's {} bytes", bytes));
        if (left != 0 && in.pos == taken && out.pos == 0)
            return makeDamageError(where, "the file is cut off");
    }
    if (seen != bytes)
        return makeDamageError(where, fmt::format("the file holds {} bytes, the buffer has {}", seen, bytes));
    return in.pos == in.size ? Status() : Status(makeDamageError(where, "the file goes on after its data"));
}

bool unpackInto(std::string_view frame, std::vector<std::byte>& data)
{
    return ZSTD_decompress(data.data(), data.size(), frame.data(), frame.size()) == data.size();
}

} // namespace kl::inline kernels
