// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/activity.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "profiler/live/cupti/cupti_api.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>

namespace kl::inline live {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20; // about 5,000 kernel records
constexpr std::size_t kBufferAlign = 8;       // ACTIVITY_RECORD_ALIGNMENT
constexpr std::array kKinds = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET};

/// Where CUPTI's callbacks, which carry no user pointer and may come on its own thread, leave what they get.
struct Inbox {
    std::mutex mutex;
    std::vector<ActivitySpan> spans;
    std::int64_t dropped = 0;
    bool broken = false; ///< a buffer could not be allocated or read to its end
};

Inbox& inbox()
{
    static Inbox* box = new Inbox; // never destroyed: CUPTI may call back while the process exits
    return *box;
}

std::atomic_flag recording = ATOMIC_FLAG_INIT;

std::string copyName(std::uint8_t kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD: return "memcpy HtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH: return "memcpy DtoH";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD: return "memcpy DtoD";
    default: return "memcpy";
    }
}

template <class Record> ActivitySpan makeActivitySpan(const Record& record, ActivitySpan::Kind kind, std::string name)
{
    return ActivitySpan{kind, std::move(name), record.start, record.end, record.correlationId, record.streamId};
}

// The fields read here have the same offset in the records of CUDA 12 and 13: later versions only append.
void keep(const CUpti_Activity& record, std::vector<ActivitySpan>& spans)
{
    if (record.kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || record.kind == CUPTI_ACTIVITY_KIND_KERNEL) {
        const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel9&>(record);
        spans.push_back(makeActivitySpan(kernel, ActivitySpan::Kind::kernel, kernel.name ? kernel.name : ""));
    } else if (record.kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
        const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy5&>(record);
        spans.push_back(makeActivitySpan(copy, ActivitySpan::Kind::memcpy, copyName(copy.copyKind)));
    } else if (record.kind == CUPTI_ACTIVITY_KIND_MEMSET) {
        spans.push_back(makeActivitySpan(reinterpret_cast<const CUpti_ActivityMemset4&>(record), ActivitySpan::Kind::memset, "memset"));
    }
}

void CUPTIAPI handleBufferRequest(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords)
{
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlign, kBufferBytes));
    *size = *buffer ? kBufferBytes : 0;
    *maxRecords = 0; // as many as fit
    if (!*buffer) {
        const std::lock_guard lock(inbox().mutex);
        inbox().broken = true;
    }
}

void CUPTIAPI handleCompletedBuffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t, std::size_t validSize)
{
    const CuptiApi& api = CuptiApi::load().value();
    const std::lock_guard lock(inbox().mutex);
    CUpti_Activity* record = nullptr;
    while (validSize > 0) {
        const CUptiResult next = api.ActivityGetNextRecord(buffer, validSize, &record);
        if (next == CUPTI_SUCCESS) {
            keep(*record, inbox().spans);
            continue;
        }
        if (next != CUPTI_ERROR_MAX_LIMIT_REACHED)
            inbox().broken = true;
        break;
    }
    std::size_t dropped = 0;
    if (api.ActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
        inbox().dropped += static_cast<std::int64_t>(dropped);
    std::free(buffer);
}

class CuptiRecorder final : public ActivityRecorder {
public:
    explicit CuptiRecorder(const CuptiApi& api) : api_(api) {}

    ~CuptiRecorder() override
    {
        const Timed time("activities: end");
        for (const CUpti_ActivityKind kind : kKinds)
            (void)api_.ActivityDisable(kind);
        (void)api_.ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        recording.clear();
    }

    Status enable()
    {
        KL_TRY(checkCupti(api_.ActivityRegisterCallbacks(handleBufferRequest, handleCompletedBuffer), "cuptiActivityRegisterCallbacks"));
        for (const CUpti_ActivityKind kind : kKinds)
            KL_TRY(checkCupti(api_.ActivityEnable(kind), "cuptiActivityEnable"));
        return {};
    }

    Result<std::vector<ActivitySpan>> drain() override
    {
        KL_TRY(checkCupti(api_.ActivityFlushAll(0), "cuptiActivityFlushAll"));
        std::vector<ActivitySpan> spans;
        {
            const std::lock_guard lock(inbox().mutex);
            spans.swap(inbox().spans);
            if (inbox().broken) {
                inbox().broken = false;
                return Error{.code = ErrorCode::internal,
                             .message = "CUPTI's activity buffers could not be read completely.",
                             .hint = "Measure again."};
            }
        }
        std::ranges::sort(spans, {}, &ActivitySpan::startNs);
        return spans;
    }

    std::int64_t dropped() const noexcept override
    {
        const std::lock_guard lock(inbox().mutex);
        return inbox().dropped;
    }

private:
    const CuptiApi& api_;
};

} // namespace

Result<std::unique_ptr<ActivityRecorder>> ActivityRecorder::start()
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    if (recording.test_and_set())
        return Error{
            .code = ErrorCode::internal, .message = "GPU activity is already being recorded.", .hint = "Destroy the other recorder first."};
    {
        const std::lock_guard lock(inbox().mutex);
        inbox().spans.clear();
        inbox().dropped = 0;
        inbox().broken = false;
    }
    const Timed time("activities: start");
    auto recorder = std::make_unique<CuptiRecorder>(*api); // from here on its destructor undoes what was enabled
    KL_TRY(recorder->enable());
    return std::unique_ptr<ActivityRecorder>(std::move(recorder));
}

Result<std::string> cuptiVersion()
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    std::uint32_t version = 0;
    KL_TRY(checkCupti(api->GetVersion(&version), "cuptiGetVersion"));
    // From CUDA 13 on the number is that of CUDA (130001 for 13.0); before, CUPTI counted its own versions (24 for 12.6).
    if (version < 10000)
        return "12 (API " + std::to_string(version) + ")";
    return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100);
}

} // namespace kl::inline live
