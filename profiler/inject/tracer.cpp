// SPDX-License-Identifier: MIT
#include "profiler/inject/tracer.h"

#include "core/base/try.h"
#include "profiler/inject/activity_feed.h"
#include "profiler/inject/cupti_wanted.h"
#include "profiler/inject/nvtx_ranges.h"
#include "profiler/live/cuda/driver.h"
#include "profiler/live/cupti/cupti_api.h"

#include <array>
#include <cstdlib>
#include <cupti_driver_cbid.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <pthread.h>
#include <unistd.h>

namespace kl::inject {
namespace {

constexpr std::array kLaunches = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                  CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                  CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                  CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                  CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                  CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                  CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                                  CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};
constexpr std::array kCaptureBegins = {
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture,        CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,     CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz};
constexpr std::array kCaptureEnds = {CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz};

constexpr std::array kAllocations = {CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2,           CUPTI_DRIVER_TRACE_CBID_cuMemAllocPitch_v2,
                                     CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync,         CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync_ptsz,
                                     CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync, CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync_ptsz};

/// The address that one of kAllocations has returned: where its first parameter points.
std::uint64_t findAllocated(const CUpti_CallbackData& call)
{
    const auto* result = static_cast<const CUresult*>(call.functionReturnValue);
    const auto* const* where = static_cast<const CUdeviceptr* const*>(call.functionParams);
    return result && *result == CUDA_SUCCESS && where && *where ? **where : 0;
}

bool isGraphLaunch(CUpti_CallbackId id)
{
    return id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch || id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz;
}

bool among(const auto& list, CUpti_CallbackId id)
{
    for (const auto known : list)
        if (known == static_cast<CUpti_driver_api_trace_cbid>(id))
            return true;
    return false;
}

/// How this thread's launch holds the gate, between entering the driver and leaving it.
enum class Holding { nothing, shared, alone };
thread_local Holding holding = Holding::nothing;

std::vector<std::string> ownCommand()
{
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\0', at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

Tracer* only = nullptr; // made in cuInit, never destroyed

} // namespace

void Tracer::begin() noexcept
try {
    const char* folder = std::getenv(kTraceFolderVariable);
    if (!folder || !*folder || only)
        return;
    std::ifstream in(std::string(folder) + '/' + kTraceConfigFile, std::ios::binary);
    const Result<TraceConfig> config = parseTraceConfig(std::string(std::istreambuf_iterator<char>(in), {}), kTraceConfigFile);
    if (!config)
        return;
    auto* tracer = new Tracer(*config);
    if (!tracer->writer_.open(folder)) {
        delete tracer;
        return;
    }
    only = tracer;
    Driver::adopt();
    const Result<CuptiApi>& api = CuptiApi::load();
    tracer->writer_.write(traceLine(::getpid(), ownCommand(), api ? api->path : std::string()));
    if (const std::optional<ProcessRank> rank = rankFrom([](const char* name) { return std::getenv(name); }))
        tracer->writer_.write(traceLine(*rank));
    if (const Status subscribed = tracer->subscribe(); !subscribed) {
        tracer->stopped_ = true;
        const Error& error = subscribed.error();
        tracer->note("no-tracing", error.message + (error.hint.empty() ? "" : ' ' + error.hint));
    } else {
        yieldCuptiWhenWanted();
        tracer->watchRange();
    }
    tracer->writer_.flush();
    std::atexit([] { finish(); });
    (void)::pthread_atfork(nullptr, nullptr, [] {
        only->forked_ = true;
        only->stopped_ = true;
    });
} catch (...) {
    return;
}

void Tracer::watchRange()
{
    if (!whole_.pending())
        return;
    nvtx::watch(
        config_.ranges.within,
        [this] {
            const std::unique_lock alone(gate_);
            if (!stopped_ && capturing_ == 0 && launches_ > 0) // the first launch initializes CUPTI's profiler, to describe the devices
                whole_.enter();
        },
        [this] {
            const std::unique_lock alone(gate_);
            if (!stopped_ && capturing_ == 0)
                whole_.leave();
        });
}

Status Tracer::subscribe()
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    const CUptiResult answer = api->Subscribe(&subscriber_, onCallback, this);
    if (answer == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        return Error{
            .code = ErrorCode::environment,
            .message = "This program uses CUPTI itself (e.g. PyTorch's profiler, nvbench or a debugger), and CUPTI supports one user at a "
                       "time: it was "
                       "left to the program, and nothing was collected.",
            .hint = "Turn off the program's own profiler and run it again."};
    KL_TRY(checkCupti(answer, "cuptiSubscribe"));
    for (const auto id : kLaunches)
        KL_TRY(checkCupti(api->EnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, id), "cuptiEnableCallback"));
    for (const auto id : kCaptureBegins)
        (void)api->EnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, id); // not in every driver
    for (const auto id : kCaptureEnds)
        (void)api->EnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, id);
    if (lift_)
        return enableForLift();
    if (config_.source || config_.executions)
        (void)api->EnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
    return ActivityFeed::start(writer_, config_);
}

/// Modules, whose machine code is kept, and where it is requested all allocations. No activity is recorded.
Status Tracer::enableForLift()
{
    const CuptiApi& api = CuptiApi::load().value();
    KL_TRY(
        checkCupti(api.EnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED), "cuptiEnableCallback"));
    for (const auto id : kAllocations)
        if (config_.lift->allMemory)
            (void)api.EnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, id); // not in every driver
    return {};
}

void Tracer::note(const char* code, const std::string& text)
{
    writer_.write(traceLine(Warning{code, text}));
}

void CUPTIAPI Tracer::onCallback(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data)
try {
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API && data)
        static_cast<Tracer*>(self)->onDriverCall(id, *static_cast<const CUpti_CallbackData*>(data));
    else if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED && data)
        static_cast<Tracer*>(self)->onModule(*static_cast<const CUpti_ResourceData*>(data));
} catch (...) {
    return;
}

void Tracer::onDriverCall(CUpti_CallbackId id, const CUpti_CallbackData& call)
{
    const bool enters = call.callbackSite == CUPTI_API_ENTER;
    if (among(kLaunches, id)) {
        if (!enters)
            onLaunchExit();
        else if (lift_)
            onLiftEnter(id, call);
        else if (!stopped_ && holding == Holding::nothing)
            onLaunchEnter(id, call);
    } else if (among(kCaptureBegins, id)) {
        capturing_ += enters ? 1 : 0;
    } else if (among(kCaptureEnds, id)) {
        capturing_ -= enters ? 0 : 1;
    } else if (lift_ && !enters && among(kAllocations, id)) {
        const std::lock_guard lock(mutex_);
        lift_->lifter.sawAllocation(findAllocated(call));
    }
}

void Tracer::onLiftEnter(CUpti_CallbackId id, const CUpti_CallbackData& call)
{
    if (stopped_ || holding != Holding::nothing)
        return;
    std::optional<int> chosen;
    {
        const std::vector<std::string> ranges = nvtx::findStack(nvtx::openStack());
        const std::lock_guard lock(mutex_);
        if (isGraphLaunch(id))
            lift_->selector.sawGraph();
        else if (call.symbolName)
            chosen = lift_->selector.next(call.symbolName, ranges, capturing_ > 0);
    }
    if (!chosen) {
        gate_.lock_shared();
        holding = Holding::shared;
        return;
    }
    gate_.lock();
    holding = Holding::alone;
    lift_->lifter.begin(call.symbolName, *chosen, launchParams(id, call.functionParams), ownCommand());
}

void Tracer::onModule(const CUpti_ResourceData& resource)
{
    const auto* module = static_cast<const CUpti_ModuleResourceData*>(resource.resourceDescriptor);
    if (module && module->pCubin)
        profiler_.images().add({module->pCubin, module->cubinSize});
}

void Tracer::onLaunchEnter(CUpti_CallbackId id, const CUpti_CallbackData& call)
{
    std::call_once(devicesOnce_, [this] { profiler_.describeDevices(); });
    writeRanges(call.correlationId);
    const bool graph = isGraphLaunch(id);
    std::optional<LaunchSelector::Choice> choice;
    LaunchParams made;
    if (!graph && call.symbolName) {
        made = launchParams(id, call.functionParams);
        const bool ranged = config_.ranges != RangeChoice{};
        const std::vector<std::string> stack = ranged ? nvtx::findStack(nvtx::openStack()) : std::vector<std::string>{};
        const std::lock_guard lock(mutex_);
        choice = selector_.next(call.symbolName, {made.grid, made.block, made.dynamicSmem, config_.ranges.makeKey(stack)},
                                capturing_ == 0 && !whole_.pending() && config_.ranges.includes(stack));
        if (selector_.isOutOfTime() && !reportedOutOfTime_) {
            reportedOutOfTime_ = true;
            note("profile-time-spent", fmt::format("Profiling took {:.0f} s; no more kernels were profiled.", config_.maxProfileSeconds));
        }
    }
    if (!choice) {
        ++launches_;
        gate_.lock_shared();
        holding = Holding::shared;
        return;
    }
    gate_.lock();
    holding = Holding::alone;
    profiling_ = call.symbolName;
    profiler_.begin({call.context, profiling_, made, *choice, nvtx::findStack(nvtx::openStack()), call.correlationId});
}

void Tracer::onLaunchExit()
{
    const Holding held = std::exchange(holding, Holding::nothing);
    if (held == Holding::shared) {
        gate_.unlock_shared();
    } else if (held == Holding::alone && lift_) {
        try {
            lift_->lifter.end();
        } catch (...) {
            note("internal", "Could not write the lifted launch.");
        }
        gate_.unlock();
    } else if (held == Holding::alone) {
        try {
            const LaunchProfiler::Outcome outcome = profiler_.end();
            {
                const std::lock_guard lock(mutex_);
                selector_.addSpent(outcome.seconds);
                if (outcome.samplesWanted > 0)
                    selector_.wantSamples(profiling_, outcome.samplesWanted);
            }
            if (outcome.written)
                flush(false);
        } catch (...) {
            note("internal", "Could not write a profiled launch.");
        }
        gate_.unlock();
    }
}

int Tracer::stackNumber(int stack)
{
    const auto [found, fresh] = stackNumbers_.try_emplace(stack, static_cast<int>(stackNumbers_.size()));
    if (fresh)
        writer_.write(traceLine(found->second, nvtx::findStack(stack)));
    return found->second;
}

void Tracer::writeRanges(std::uint32_t correlation)
{
    const int stack = nvtx::openStack();
    if (stack < 0)
        return;
    const std::lock_guard lock(mutex_);
    const int number = stackNumber(stack);
    writer_.write(traceLaunchRanges(correlation, number, nvtx::openEntries()));
}

void Tracer::flush(bool last)
{
    if (last)
        ActivityFeed::flush(true);
    {
        const std::lock_guard lock(mutex_);
        nvtx::drainTimes([this](int stack, std::int64_t count, double hostNs) {
            const int number = stackNumber(stack);
            writer_.write(traceRangeTime(number, {count, hostNs}));
        });
    }
    writer_.flush();
}

void Tracer::finish() noexcept
try {
    if (!only || only->forked_)
        return;
    const bool tracing = !only->stopped_.exchange(true);
    if (tracing) {
        only->whole_.finish();
        only->flush(true);
        if (only->lift_) {
            if (const std::string missing = only->lift_->selector.describeMissing(); !missing.empty())
                only->note("not-lifted", missing);
        } else if (only->launches_ > 0 && ActivityFeed::records() == 0) {
            only->note("no-activity",
                       "Kernels were launched, but CUPTI did not report their execution: this program seems to use CUPTI itself, "
                       "and CUPTI supports one user at a time.");
        }
    }
    only->writer_.write(traceEnd());
    only->writer_.flush();
} catch (...) {
    return;
}

bool Tracer::standBack() noexcept
try {
    if (!only || only->stopped_.exchange(true)) // a forked copy is stopped, too
        return false;
    const std::unique_lock alone(only->gate_);
    only->note("cupti-wanted", "The program started its own profiler (e.g. PyTorch's, which also uses CUPTI), and CUPTI supports "
                               "one user at a time: from then on it was left to the program. The results are from before that.");
    only->whole_.release();
    if (!only->lift_)
        ActivityFeed::pause();
    only->flush(true);
    (void)CuptiApi::load().value().Unsubscribe(only->subscriber_);
    return true;
} catch (...) {
    return false;
}

} // namespace kl::inject
