// SPDX-License-Identifier: MIT
#include "profiler/stall_watch.h"

#include "core/process/run_to_end.h"
#include "profiler/protocol/gpu_choice.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline profiler {
namespace {

constexpr double kQuerySeconds = 5;

double seconds(std::chrono::steady_clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

/// The first line that nvidia-smi answers about a device; empty where it does not.
std::string queryDevice(const std::string& uuid)
{
    ProcessOptions options{.arguments = {"nvidia-smi", "--format=csv,noheader",
                                         "--query-gpu=utilization.gpu,clocks.sm,temperature.gpu,power.draw,memory.used"}};
    if (!uuid.empty())
        options.arguments.push_back("--id=" + uuid);
    std::error_code failure;
    const CompletedRun run = runToEnd(std::move(options), kQuerySeconds, {.errors = false}, failure);
    return run.output.substr(0, run.output.find_first_of("\r\n"));
}

} // namespace

std::string deviceState(Source source, const Hello& hello, const std::string& remoteHost)
{
    if (source != Source::live)
        return "no GPU is involved: the answers are recorded";
    const DeviceInfo* device = findMeasuredDevice(hello);
    if (device == nullptr)
        return hello.unavailable.value_or("no GPU was found");
    if (!remoteHost.empty())
        return fmt::format("{} on {}", device->name, remoteHost);
    const std::string state = queryDevice(device->uuid);
    return state.empty() ? fmt::format("{}; its state cannot be read; nvidia-smi does not respond", device->name)
                         : fmt::format("{}: load, clock, temperature, power, memory {}", device->name, state);
}

StallWatch::StallWatch(const Collector& collector, Verb verb, const Job& outer) : verb_(verb), outer_(outer)
{
    if (!outer_.notice)
        return;
    source_ = collector.source();
    hello_ = collector.hello();
    remoteHost_ = collector.remoteHost();
    thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

StallWatch::~StallWatch() = default; // the thread, declared last, is stopped and joined first

Job StallWatch::job()
{
    Job job = outer_;
    job.progress = [this](const Progress& progress) { noteProgress(progress); };
    return job;
}

void StallWatch::noteProgress(const Progress& progress)
{
    {
        const std::scoped_lock lock(mutex_);
        if (progress.step != step_) {
            step_ = progress.step;
            stepBegan_ = quietSince_ = Clock::now();
        }
        expected_ = progress.expected;
    }
    if (outer_.progress)
        outer_.progress(progress);
}

void StallWatch::watch(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        const Clock::time_point due = quietSince_ + outer_.silence;
        changed_.wait_until(lock, stop, due, [&] { return false; });
        const Clock::time_point now = Clock::now();
        if (stop.stop_requested() || now < quietSince_ + outer_.silence)
            continue;
        quietSince_ = now;
        const double running = seconds(now - stepBegan_);
        if (expected_ && running < *expected_)
            continue;
        const std::string head = fmt::format("No progress of \"{}\" ({}) for {:.0f} s", step_, toWord(verb_), running);
        lock.unlock();
        outer_.notice(fmt::format("{}. The device: {}.", head, deviceState(source_, hello_, remoteHost_)));
        lock.lock();
    }
}

} // namespace kl::inline profiler
