// SPDX-License-Identifier: MIT
#include "sessions/import/byte_source.h"

#include "core/base/try.h"
#include "profiler/import/ncu_report.h"

#include <fmt/format.h>
#include <zstd.h>

namespace kl::inline imports {
namespace {

constexpr std::string_view kFrameStart = "\x28\xb5\x2f\xfd";

/// A frame's window is memory that its header asks for: ours has 2 MiB; zstd's own programs read 128 MiB by default.
constexpr int kMostWindowLog = 25;

class Unpacker {
public:
    Unpacker(ByteSource frame, std::string where) : frame_(std::move(frame)), where_(std::move(where)), out_(ZSTD_DStreamOutSize(), '\0')
    {
        ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kMostWindowLog);
    }

    Result<std::string_view> next()
    {
        for (;;) {
            if (in_.empty() && !ended_) {
                KL_ASSIGN(in_, frame_());
                ended_ = in_.empty();
            }
            ZSTD_inBuffer in{in_.data(), in_.size(), 0};
            ZSTD_outBuffer out{out_.data(), out_.size(), 0};
            const std::size_t left = ZSTD_decompressStream(context_.get(), &out, &in);
            in_.remove_prefix(in.pos);
            if (ZSTD_isError(left) != 0U)
                return makeDamageError();
            if (out.pos > 0) {
                whole_ = left == 0;
                return std::string_view(out_.data(), out.pos);
            }
            whole_ = left == 0 || (ended_ && whole_);
            if (ended_)
                return whole_ ? Result<std::string_view>(std::string_view()) : makeDamageError();
        }
    }

private:
    Error makeDamageError() const
    {
        return Error{
            .code = ErrorCode::badInput,
            .message = fmt::format(
                "{} is compressed and cannot be unpacked: it is damaged, was cut off, or is neither a bundle nor a report.", where_),
            .hint = "Copy it again from where it was exported, or export it again.",
            .where = where_}
            .leadTo({StepId::exportRuns});
    }

    ByteSource frame_;
    std::string where_;
    std::string out_;
    std::string_view in_;
    bool ended_ = false; ///< no more of the frame is coming
    bool whole_ = false; ///< the frame's last byte was seen
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_{ZSTD_createDCtx(), &ZSTD_freeDCtx};
};

} // namespace

bool isCompressed(std::string_view bytes)
{
    return bytes.starts_with(kFrameStart);
}

bool isPackedReport(std::string_view bytes)
{
    if (!isCompressed(bytes))
        return false;
    const ByteSource source = unpackSource(toByteSource(bytes), {}); // owns what it returns
    const Result<std::string_view> begin = source();
    return begin && isNcuReport(*begin);
}

ByteSource unpackSource(ByteSource frame, std::string where)
{
    return [unpacker = std::make_shared<Unpacker>(std::move(frame), std::move(where))] { return unpacker->next(); };
}

} // namespace kl::inline imports
