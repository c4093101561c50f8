// SPDX-License-Identifier: MIT
#include "profiler/inject/launch_profiler.h"

#include "core/base/try.h"
#include "profiler/inject/activity_feed.h"
#include "profiler/inject/argument_memory.h"
#include "profiler/inject/executed_launch.h"
#include "profiler/live/cuda/device.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/device_support.h"
#include "profiler/live/nvml/nvml.h"

#include <utility>

namespace kl::inject {
namespace {

std::uint64_t timestamp()
{
    std::uint64_t now = 0;
    (void)CuptiApi::load().value().GetTimestamp(&now);
    return now;
}

std::string words(const Error& error)
{
    return error.message + (error.hint.empty() ? "" : ' ' + error.hint);
}

} // namespace

void LaunchProfiler::describeDevices()
{
    Result<std::vector<DeviceInfo>> all = listDevices();
    if (!all) {
        writer_.write(traceLine(Warning{"no-devices", all.error().message}));
        return;
    }
    devices_ = std::move(*all);
    const CuptiApi& api = CuptiApi::load().value();
    KL_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize); // CUPTI crashes on a chip query before it
    const bool requested = api.ProfilerInitialize(&initialize) == CUPTI_SUCCESS;
    const Result<std::string> driver = nvmlDriverVersion();
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        const Result<std::string> chip = requested ? chipName(api, static_cast<int>(i)) : Result<std::string>(std::string());
        devices_[i].chip = chip ? *chip : "";
        devices_[i].driverVersion = driver ? *driver : "";
        writer_.write(traceLine(static_cast<int>(i), devices_[i]));
    }
    KL_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, end);
    if (requested)
        (void)api.ProfilerDeInitialize(&end);
}

/// What the driver knows about the launch.
Status LaunchProfiler::describe(ProfiledLaunch& launch) const
{
    CUdevice device = 0;
    KL_TRY(checkCuda(cuda().CtxGetDevice(&device), "cuCtxGetDevice"));
    if (device < 0 || static_cast<std::size_t>(device) >= devices_.size())
        return Error{.code = ErrorCode::environment, .message = "The launch's device is not known."};
    const LaunchParams& made = subject_.params;
    launch.device = device;
    launch.facts.gridBlocks = static_cast<std::int64_t>(made.grid[0]) * made.grid[1] * made.grid[2];
    launch.facts.blockThreads = made.block[0] * made.block[1] * made.block[2];
    launch.facts.dynamicSmem = made.dynamicSmem;
    // A handle that the driver does not describe leaves zeros.
    CUfunction function = resolveFunction(made.function);
    (void)describeLaunch(function, devices_[static_cast<std::size_t>(device)], launch.facts);
    if (countsLaunch())
        launch.memoryBytes = argumentMemory(made, function);
    return {};
}

/// Starts what the launch was chosen for.
Status LaunchProfiler::start()
{
    switch (subject_.choice.how) {
    case Profiling::samples: return sampler_.begin(subject_.context, subject_.kernel);
    case Profiling::executions:
        return sampler_.beginCounts(subject_.context, launch_.device, devices_[static_cast<std::size_t>(launch_.device)].chip);
    default: break;
    }
    return counters_.begin(subject_.context, launch_.device);
}

Status LaunchProfiler::ready()
{
    KL_TRY(describe(launch_));
    KL_TRY(checkCuda(cuda().CtxSynchronize(), "cuCtxSynchronize"));
    pause_.start = timestamp();
    if (!recorded())
        ActivityFeed::pause();
    Status started = start();
    if (recorded())
        writePause();
    else if (!started)
        ActivityFeed::resume(); // the launch is recorded like any other
    return started;
}

void LaunchProfiler::writePause()
{
    pause_.end = timestamp();
    writer_.write(traceLine(pause_));
}

void LaunchProfiler::begin(LaunchSubject subject)
{
    began_ = std::chrono::steady_clock::now();
    subject_ = std::move(subject);
    launch_ = {};
    launch_.kernel = subject_.kernel;
    launch_.launch = subject_.choice.launch;
    launch_.grid = subject_.params.grid;
    launch_.block = subject_.params.block;
    launch_.facts.entry = subject_.kernel;
    launch_.ranges = subject_.ranges;
    const Status started = subject_.choice.how == Profiling::alone ? checkCuda(cuda().CtxSynchronize(), "cuCtxSynchronize") : ready();
    open_ = started.ok();
    if (!started)
        launch_.failure = words(started.error());
}

LaunchProfiler::Outcome LaunchProfiler::end()
{
    if (subject_.choice.how == Profiling::alone)
        return endAlone();
    Outcome outcome = subject_.choice.how == Profiling::counters ? endCounters() : countsLaunch() ? endExecutions() : endSamples();
    if (open_) {
        if (recorded())
            writer_.write(traceLaunchSampled(subject_.correlation));
        else
            ActivityFeed::resume();
        writePause();
    }
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    open_ = false;
    return outcome;
}

LaunchProfiler::Outcome LaunchProfiler::endAlone()
{
    if (std::exchange(open_, false) && checkCuda(cuda().CtxSynchronize(), "cuCtxSynchronize"))
        writer_.write(traceLaunchAlone(subject_.correlation));
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(), 0, false};
}

LaunchProfiler::Outcome LaunchProfiler::endCounters()
{
    if (open_) {
        const Status finished = checkCuda(cuda().CtxSynchronize(), "cuCtxSynchronize");
        Result<MetricSet> metrics = counters_.end();
        if (!finished)
            launch_.failure = words(finished.error());
        else if (!metrics)
            launch_.failure = words(metrics.error());
        else
            launch_.metrics = std::move(*metrics);
    }
    launch_.metrics.cacheControl = "none";
    launch_.metrics.launch = subject_.kernel;
    launch_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    writer_.write(traceLine(launch_));
    return {};
}

LaunchProfiler::Outcome LaunchProfiler::endExecutions()
{
    if (open_) {
        const Status finished = checkCuda(cuda().CtxSynchronize(), "cuCtxSynchronize");
        const Result<std::vector<SassCount>> counts = sampler_.takeCounts();
        const Status described = !finished ? finished : counts ? describeExecution(launch_, *counts, images_) : Status(counts.error());
        if (!described)
            launch_.failure = words(described.error());
    }
    if (!launch_.failure.empty())
        describeCode(launch_, images_);
    launch_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    writer_.write(traceExecuted(launch_));
    return {};
}

LaunchProfiler::Outcome LaunchProfiler::endSamples()
{
    std::string failure = launch_.failure;
    if (open_) {
        const Status finished = checkCuda(cuda().CtxSynchronize(), "cuCtxSynchronize");
        if (recorded())
            pause_.start = timestamp();
        const bool counted = subject_.choice.how == Profiling::executions;
        const Result<SampledKernel> sampled =
            counted ? sampler_.endCounts(subject_.kernel, launch_.device) : sampler_.end(subject_.kernel, launch_.device);
        if (finished && sampled) {
            writer_.write(traceLine(*sampled));
            return {0, counted ? 0 : sampler_.countLaunchesWanted(subject_.kernel), true};
        }
        failure = words(finished ? sampled.error() : finished.error());
    }
    SampledKernel failed{subject_.kernel, launch_.device, 0, {}};
    failed.source.unavailable = failure;
    writer_.write(traceLine(sampler_.soFar(subject_.kernel, launch_.device, failure).value_or(std::move(failed))));
    return {};
}

} // namespace kl::inject
