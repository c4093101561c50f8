// SPDX-License-Identifier: MIT
#include "profiler/stall_watch.h"

#include "profiler/protocol/gpu_choice.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr const char* kQuery = "timeout 5 nvidia-smi --format=csv,noheader "
                               "--query-gpu=utilization.gpu,clocks.sm,temperature.gpu,power.draw,memory.used 2>/dev/null";

double seconds(std::chrono::steady_clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

std::string firstLineOf(const std::string& command)
{
    FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr)
        return {};
    char line[512] = {};
    const bool read = std::fgets(line, sizeof line, pipe) != nullptr;
    ::pclose(pipe);
    std::string text = read ? line : "";
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    return text;
}

} // namespace

std::string deviceState(Source source, const Hello& hello)
{
    if (source != Source::live)
        return "no GPU is involved: a recording answers";
    const DeviceInfo* device = measuredDevice(hello);
    if (device == nullptr)
        return hello.unavailable.value_or("no GPU was found");
    const std::string& uuid = device->uuid;
    const bool plain = uuid.find_first_not_of("GPUabcdefMIG-0123456789/") == std::string::npos;
    const std::string state = firstLineOf(kQuery + (plain && !uuid.empty() ? " --id=" + uuid : std::string()));
    return state.empty() ? fmt::format("{}; its state cannot be read, nvidia-smi does not answer", device->name)
                         : fmt::format("{}: load, clock, temperature, power, memory {}", device->name, state);
}

StallWatch::StallWatch(const Collector& collector, Verb verb, const Job& outer) : verb_(verb), outer_(outer)
{
    if (!outer_.notice)
        return;
    source_ = collector.source();
    hello_ = collector.hello();
    thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

StallWatch::~StallWatch() = default; // the thread, declared last, is stopped and joined first

Job StallWatch::job()
{
    Job job = outer_;
    job.progress = [this](const Progress& progress) { heard(progress); };
    return job;
}

void StallWatch::heard(const Progress& progress)
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
        const std::string head = fmt::format("Nothing new from \"{}\" ({}) for {:.0f} s", step_, wordOf(verb_), running);
        lock.unlock();
        outer_.notice(fmt::format("{}. The device: {}.", head, deviceState(source_, hello_)));
        lock.lock();
    }
}

} // namespace kl
