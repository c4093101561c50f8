// SPDX-License-Identifier: MIT
#include "profiler/remote/resumable_link.h"

#include "core/base/try.h"

namespace kl::inline remote {
namespace {

Error outOfStep()
{
    return {.code = ErrorCode::internal,
            .message = "The two ends of a connection to a worker disagree about what was received.",
            .hint = "Install the same version of KernelLoop on both hosts.",
            .where = "ssh"};
}

} // namespace

void ResumableLink::send(FrameType type, std::string_view payload)
{
    do {
        const std::string_view piece = payload.substr(0, kMostPayload);
        payload.remove_prefix(piece.size());
        kept_.push_back(encodeFrame(type, piece));
        keptBytes_ += kept_.back().size();
        if (resumed_)
            unsent_ += kept_.back();
    } while (!payload.empty());
}

void ResumableLink::sendNow(FrameType type)
{
    if (connected_)
        queue(type, {});
}

void ResumableLink::queue(FrameType type, std::string_view payload)
{
    unsent_ += encodeFrame(type, payload);
}

void ResumableLink::connect()
{
    disconnect();
    connected_ = true;
    queue(FrameType::resume, countText(received_));
}

void ResumableLink::disconnect()
{
    connected_ = false;
    resumed_ = false;
    unsent_.clear();
    reader_ = {};
}

Status ResumableLink::forgetUpTo(std::string_view count)
{
    const std::optional<std::uint64_t> received = countIn(count);
    if (!received || *received < acknowledged_ || *received > acknowledged_ + kept_.size())
        return outOfStep();
    for (; acknowledged_ < *received; ++acknowledged_) {
        keptBytes_ -= kept_.front().size();
        kept_.pop_front();
    }
    return {};
}

Result<std::vector<Frame>> ResumableLink::receive(std::string_view bytes)
{
    reader_.append(bytes);
    std::vector<Frame> frames;
    bool news = false;
    while (true) {
        KL_ASSIGN(std::optional<Frame> frame, reader_.next());
        if (!frame)
            break;
        if (resumed_ == (frame->type == FrameType::resume)) // which comes first, and once
            return outOfStep();
        if (frame->type == FrameType::resume) {
            KL_TRY(forgetUpTo(frame->payload));
            resumed_ = true;
            for (const std::string& kept : kept_)
                unsent_ += kept;
        } else if (frame->type == FrameType::acknowledge) {
            KL_TRY(forgetUpTo(frame->payload));
        } else {
            if (isKept(frame->type)) {
                ++received_;
                news = true;
            }
            frames.push_back(std::move(*frame));
        }
    }
    if (news)
        queue(FrameType::acknowledge, countText(received_));
    return frames;
}

} // namespace kl::inline remote
