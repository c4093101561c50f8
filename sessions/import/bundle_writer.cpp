// SPDX-License-Identifier: MIT
#include "sessions/import/bundle_writer.h"

#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/base/try.h"
#include "core/codec/json_list.h"
#include "core/codec/run_codec.h"
#include "sessions/import/bundle.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zstd.h>

namespace kl::inline imports {
namespace {

constexpr int kLevelOfBundles = 3;

Json makeHead(bool pretty)
{
    if (pretty)
        return {{"schema", "kernelloop.runs/1"}, {"results", Json::array()}};
    return {{"schema", kBundleSchema}, {"exported_at", isoNow()}, {"results", Json::array()}};
}

Error tooLarge(const RunRecord& run, std::size_t size)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("Run {} takes {} as JSON, and the limit for a run is {}.", run.id.text,
                                   formatBytes(static_cast<double>(size)), formatBytes(static_cast<double>(kMostRunBytes))),
            .hint = "Export the other runs by id.",
            .where = "run:" + run.id.text};
}

} // namespace

struct BundleWriter::Frame {
    std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(), &ZSTD_freeCCtx};
    std::string out = std::string(ZSTD_CStreamOutSize(), '\0');
};

BundleWriter::BundleWriter(FileWriter file, bool pretty) : file_(std::move(file)), pretty_(pretty)
{
    if (pretty)
        return;
    frame_ = std::make_unique<Frame>();
    ZSTD_CCtx_setParameter(frame_->context.get(), ZSTD_c_compressionLevel, kLevelOfBundles);
    ZSTD_CCtx_setParameter(frame_->context.get(), ZSTD_c_checksumFlag, 1);
}

BundleWriter::BundleWriter(BundleWriter&&) noexcept = default;
BundleWriter::~BundleWriter() = default;

Result<BundleWriter> BundleWriter::begin(const std::string& file)
{
    KL_ASSIGN(FileWriter opened, FileWriter::begin(file));
    BundleWriter writer(std::move(opened), file.ends_with(".json"));
    const Json head = makeHead(writer.pretty_);
    const std::string text = writer.pretty_ ? encodePretty(head) + '\n' : encode(head);
    const std::size_t at = text.rfind("[]") + 1;
    writer.end_ = text.substr(at);
    KL_TRY(writer.write(std::string_view(text).substr(0, at)));
    return writer;
}

Status BundleWriter::write(std::string_view text, bool last)
{
    if (!frame_)
        return file_.write(text);
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    for (;;) {
        ZSTD_outBuffer out{frame_->out.data(), frame_->out.size(), 0};
        const std::size_t left = ZSTD_compressStream2(frame_->context.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left) != 0U)
            return Error{.code = ErrorCode::internal, .message = "The runs could not be compressed.", .detail = ZSTD_getErrorName(left)};
        KL_TRY(file_.write({frame_->out.data(), out.pos}));
        if (last ? left == 0 : in.pos == in.size)
            return {};
    }
}

Status BundleWriter::add(const std::vector<RunRecord>& runs)
{
    std::vector<std::string> texts(runs.size());
    inParallel(runs.size(), [&](std::size_t i) {
        const Json json = runToJson(runs[i]);
        texts[i] = pretty_ ? encodePrettyItem(json) : encode(json);
    });
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (texts[i].size() > kMostRunBytes)
            return tooLarge(runs[i], texts[i].size());
        const char* before = pretty_ ? (runs_ == 0 ? "\n" : ",\n") : (runs_ == 0 ? "" : ",");
        KL_TRY(write(before));
        KL_TRY(write(texts[i]));
        ++runs_;
    }
    return {};
}

Status BundleWriter::finish()
{
    const Status written = write((pretty_ && runs_ > 0 ? "\n  " : "") + end_, true);
    return written ? file_.finish() : written;
}

} // namespace kl::inline imports
