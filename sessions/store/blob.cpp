// SPDX-License-Identifier: MIT
#include "sessions/store/blob.h"

#include "core/base/try.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <zstd.h>

namespace kl::inline store {
namespace {

static_assert(std::endian::native == std::endian::little, "sample blobs are little-endian");

constexpr int kLevel = 3;
constexpr unsigned long long kMostBytes = 256ULL << 20U;

Error makeDamageError()
{
    return Error{.code = ErrorCode::badInput,
                 .message = "A compressed value in the database is damaged.",
                 .hint = "Run a full check.",
                 .where = "database"}
        .leadTo({StepId::checkDatabase});
}

} // namespace

std::string packBytes(std::string_view bytes)
{
    // Kept, since a small value takes less to compress than a context to make.
    thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::string frame(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = ZSTD_compress2(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size());
    frame.resize(ZSTD_isError(size) != 0U ? 0 : size);
    return frame;
}

Result<std::string> unpackBytes(std::string_view frame)
{
    const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMostBytes)
        return makeDamageError();
    std::string bytes(size, '\0');
    const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
    if (ZSTD_isError(got) != 0U || got != size)
        return makeDamageError();
    return bytes;
}

std::string packSamples(const std::vector<double>& samples)
{
    return packBytes({reinterpret_cast<const char*>(samples.data()), samples.size() * sizeof(double)});
}

Result<std::vector<double>> unpackSamples(std::string_view frame)
{
    KL_ASSIGN(const std::string bytes, unpackBytes(frame));
    if (bytes.size() % sizeof(double) != 0)
        return makeDamageError();
    std::vector<double> samples(bytes.size() / sizeof(double));
    std::memcpy(samples.data(), bytes.data(), bytes.size());
    return samples;
}

} // namespace kl::inline store
