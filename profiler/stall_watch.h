// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace kl::inline profiler {

/// Watches one request: when there is no new step for Job::silence, and the current step is past its expected time, Job::notice reports it
/// what is running, for how long, and the device's state. A heartbeat that repeats the step is not news: it beats while the GPU hangs, too.
class StallWatch {
public:
    /// Borrows `outer` until it is destroyed.
    StallWatch(const Collector& collector, Verb verb, const Job& outer);
    ~StallWatch();
    StallWatch(const StallWatch&) = delete;
    StallWatch& operator=(const StallWatch&) = delete;

    /// What the request is to be given in the place of the outer job.
    Job job();

private:
    using Clock = std::chrono::steady_clock;
    void noteProgress(const Progress& progress);
    void watch(const std::stop_token& stop);

    Source source_ = Source::live;
    Hello hello_; ///< as it was before the request: the collector may renew its own while it works
    std::string remoteHost_;
    Verb verb_;
    const Job& outer_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::string step_ = "starting";
    Clock::time_point stepBegan_ = Clock::now();
    Clock::time_point quietSince_ = stepBegan_;
    std::optional<double> expected_; ///< seconds of the step, where it is known
    std::jthread thread_;            ///< unset without a listener
};

/// The current state of the device, for people: load, clock, temperature, power; or why that cannot be read. Asks nvidia-smi,
/// five seconds at most: a process of its own answers even while the worker hangs. Of a device on another host only its name.
std::string deviceState(Source source, const Hello& hello, const std::string& remoteHost = {});

} // namespace kl::inline profiler
