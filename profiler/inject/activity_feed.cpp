// SPDX-License-Identifier: MIT
#include "profiler/inject/activity_feed.h"

#include "core/base/try.h"
#include "profiler/live/cupti/cupti_api.h"

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace kl::inject {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;
constexpr std::size_t kBufferAlign = 8; // ACTIVITY_RECORD_ALIGNMENT
constexpr std::uint32_t kFlushMs = 500;
constexpr std::array kKinds = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET};

/// CUPTI's callbacks carry no user pointer.
struct Feed {
    const CuptiApi* api = nullptr;
    TraceWriter* writer = nullptr;
    std::int64_t most = 0;
    std::mutex mutex; ///< over all below
    std::int64_t seen = 0;
    std::map<std::string, int> numbers;
    std::int64_t dropped = 0;
};

Feed& feed()
{
    static Feed* only = new Feed; // never destroyed: CUPTI may call back while the process exits
    return *only;
}

int assignNumber(const std::string& kernel, std::string& lines)
{
    Feed& f = feed();
    const auto [found, fresh] = f.numbers.try_emplace(kernel, static_cast<int>(f.numbers.size()));
    if (fresh)
        lines += traceLine(found->second, kernel);
    return found->second;
}

// The fields read here have the same offset in the records of CUDA 12 and 13: later versions only append.
std::string formatActivity(const CUpti_ActivityKernel10& k)
{
    TracedLaunch l;
    std::string lines;
    l.kernel = assignNumber(k.name ? k.name : "", lines);
    l.start = k.start;
    l.end = k.end;
    l.device = static_cast<int>(k.deviceId);
    l.stream = k.streamId;
    l.correlation = k.correlationId;
    l.grid = {k.gridX, k.gridY, k.gridZ};
    l.block = {k.blockX, k.blockY, k.blockZ};
    l.registers = k.registersPerThread;
    l.staticSmem = k.staticSharedMemory;
    l.dynamicSmem = k.dynamicSharedMemory;
    l.localBytes = static_cast<int>(k.localMemoryPerThread);
    l.graph = k.graphNodeId != 0;
    l.graphId = l.graph ? k.graphId : 0;
    return lines + traceLine(l);
}

std::string formatActivity(const CUpti_Activity& record)
{
    if (record.kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || record.kind == CUPTI_ACTIVITY_KIND_KERNEL) {
        const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel10&>(record);
        return kernel.start && kernel.end ? formatActivity(kernel) : std::string(); // 0: not finished when the process ended
    }
    if (record.kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
        const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy5&>(record);
        return copy.end ? traceLine(TracedCopy{false, copy.start, copy.end, static_cast<int>(copy.deviceId), copy.bytes}) : std::string();
    }
    if (record.kind == CUPTI_ACTIVITY_KIND_MEMSET) {
        const auto& set = reinterpret_cast<const CUpti_ActivityMemset4&>(record);
        return set.end ? traceLine(TracedCopy{true, set.start, set.end, static_cast<int>(set.deviceId), set.bytes}) : std::string();
    }
    return {};
}

void disableKinds()
{
    for (const CUpti_ActivityKind kind : kKinds)
        (void)feed().api->ActivityDisable(kind);
}

void CUPTIAPI handleBufferRequest(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords)
{
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlign, kBufferBytes));
    *size = *buffer ? kBufferBytes : 0;
    *maxRecords = 0; // as many as fit
}

void CUPTIAPI handleCompletedBuffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                                    std::size_t validSize) noexcept
try {
    Feed& f = feed();
    std::string lines;
    {
        const std::lock_guard lock(f.mutex);
        CUpti_Activity* record = nullptr;
        while (validSize > 0 && f.api->ActivityGetNextRecord(buffer, validSize, &record) == CUPTI_SUCCESS) {
            if (f.seen < f.most)
                lines += formatActivity(*record);
            if (++f.seen == f.most)
                lines += traceLine(Warning{"launch-limit", fmt::format("Recording stopped after {} activities.", f.most)});
        }
        std::size_t dropped = 0;
        if (f.api->ActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS && dropped > 0) {
            f.dropped += static_cast<std::int64_t>(dropped);
            lines += traceLine(Warning{"records-dropped", fmt::format("CUPTI lost {} activity records.", dropped)});
        }
        f.writer->write(lines);
    }
    f.writer->flush();
    std::free(buffer);
} catch (...) {
    std::free(buffer);
}

} // namespace

Status ActivityFeed::start(TraceWriter& writer, const TraceConfig& config)
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    Feed& f = feed();
    f.api = api;
    f.writer = &writer;
    f.most = config.maxLaunches;
    KL_TRY(checkCupti(f.api->ActivityRegisterCallbacks(handleBufferRequest, handleCompletedBuffer), "cuptiActivityRegisterCallbacks"));
    for (const CUpti_ActivityKind kind : kKinds)
        if (Status status = checkCupti(f.api->ActivityEnable(kind), "cuptiActivityEnable"); !status) {
            disableKinds();
            return status;
        }
    (void)f.api->ActivityFlushPeriod(kFlushMs);
    return {};
}

void ActivityFeed::pause()
{
    flush();
    disableKinds();
}

void ActivityFeed::resume()
{
    for (const CUpti_ActivityKind kind : kKinds)
        (void)feed().api->ActivityEnable(kind);
}

void ActivityFeed::flush(bool last)
{
    if (feed().api)
        (void)feed().api->ActivityFlushAll(last ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
}

std::int64_t ActivityFeed::records()
{
    const std::lock_guard lock(feed().mutex);
    return feed().seen;
}

} // namespace kl::inject
