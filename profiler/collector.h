// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_command.h"
#include "kernels/model/chip.h"
#include "profiler/protocol/verb.h"

#include "core/codec/json.h"

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline profiler {

using ProgressSink = std::function<void(const Progress&)>;

/// Parameters of a long call: where to report, and whether to stop. All are optional.
struct Job {
    ProgressSink progress;
    std::stop_token stop;
    /// Receives a sentence when there was no progress for `silence`, with the device's state; again after each further `silence`. Called
    /// from a thread of its own.
    std::function<void(const std::string&)> notice;
    std::chrono::milliseconds silence = std::chrono::seconds(60);
    /// Given what is known of a profile before its counters are read: the body of a RunAnswer with time and correctness, no metrics. Only
    /// live workers send one. Called from the thread that waits for the answer.
    std::function<void(const Json& body)> partial = {};
    /// Given what a program writes that a worker runs, as it comes; `errors`: to its standard error. As `partial`.
    std::function<void(std::string_view bytes, bool errors)> output = {};

    void report(const std::string& step, double elapsed = 0, std::optional<double> expected = {}) const;
};

struct ExpectedRequest; // profiler/expected_request.h

/// The source of measurements: a live worker, a recorded capture, or several workers. Blocking; one call at a time.
class Collector {
public:
    virtual ~Collector() = default;

    /// The source of its answers.
    virtual Source source() const = 0;

    /// The machine with its GPUs and the one that it measures on, or the reason why it cannot.
    virtual const Hello& hello() const = 0;

    /// The host that it measures on, as ssh takes it, or "slurm:PARTITION"; empty: this one, or that of a recording.
    virtual std::string remoteHost() const { return {}; }

    /// What the worker of the last answer says of its machine: of several workers, the one that gave it.
    virtual const Hello& getAnsweringHello() const { return hello(); }

    /// How --on names the same GPU for another worker, where host and UUID do not suffice; else empty.
    virtual std::string sameDevice() const { return {}; }

    /// How many requests it can work on at the same time.
    virtual int width() const { return 1; }

    /// Requests that will be asked for, in this order. One that can work on several at a time begins with them; ask() then takes the answer
    /// that is there, or waits for it. Equal requests go to one worker each, as far as there are workers. Takes the place of what was
    /// expected before. Others ignore it.
    virtual void expect(const std::vector<ExpectedRequest>& /*requests*/) {}

    /// Whether it can answer this request: a recording answers what was recorded, a GPU anything. Cheap.
    virtual bool holds(Verb, const Json& /*body*/) const { return true; }

    /// Whether a command that a file names may be started on this machine: what the user of this device decides. Errors needsConsent,
    /// interrupted.
    virtual Status allow(const FileCommand& command, const Job& job);

    /// Sends one request and waits for its answer's body. Errors: environment, kernelFailed, needsConsent,
    /// interrupted, notRecorded, internal.
    virtual Result<Json> ask(Verb verb, const Json& body, const Job& job) = 0;
};

/// The chip that works are built for: of the device that the collector measures on, the default chip if it has none.
Chip toChip(const Collector& collector);

// Typed requests over any collector. Each is watched: work without progress raises Job::notice (rule "Never silent").
Result<ProbeAnswer> probe(Collector& collector, const Job& job = {});
Result<EnvReport> checkEnvironment(Collector& collector, const EnvRequest& request, const Job& job = {});
Result<MetricsAnswer> describeMetrics(Collector& collector, const MetricsRequest& request, const Job& job = {});
Result<CompileAnswer> compile(Collector& collector, const CompileRequest& request, const Job& job = {});
Result<RunAnswer> run(Collector& collector, const RunRequest& request, const Job& job = {});
Result<RunAnswer> profile(Collector& collector, const ProfileRequest& request, const Job& job = {});
Result<CountAnswer> count(Collector& collector, const CountRequest& request, const Job& job = {});
/// Launches the work and nothing else, `repeat` times.
Result<RunAnswer> launch(Collector& collector, const LaunchRequest& request, const Job& job = {});
/// What compute-sanitizer found in a recorded launch of the work.
Result<SanitizeAnswer> sanitizeLaunch(Collector& collector, const SanitizeRequest& request, const Job& job = {});
/// Records what the warps of the work's longest launch do.
Result<TimelineAnswer> recordTimeline(Collector& collector, const TimelineRequest& request, const Job& job = {});
/// Runs a program on the collector's host, and collects what the library in it recorded.
Result<TraceProgramAnswer> traceProgram(Collector& collector, const TraceProgramRequest& request, const Job& job = {});
Result<AbAnswer> interleave(Collector& collector, const AbRequest& request, const Job& job = {});

} // namespace kl::inline profiler
