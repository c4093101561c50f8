// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/chip.h"
#include "profiler/protocol/verb.h"

#include "core/codec/json.h"

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

namespace kl {

using ProgressSink = std::function<void(const Progress&)>;

/// What a long call is given by its caller: where to report, and whether to stop. All may be left out.
struct Job {
    ProgressSink progress;
    std::stop_token stop;
    /// Told in a sentence when nothing new was heard for `silence`, with the device's state; again after each further `silence`. Called
    /// from a thread of its own.
    std::function<void(const std::string&)> notice;
    std::chrono::milliseconds silence = std::chrono::seconds(60);

    void report(const std::string& step, double elapsed = 0, std::optional<double> expected = {}) const;
};

/// The port behind which measurements come from: a live worker, or a recorded capture. Blocking; one call at a time.
class Collector {
public:
    virtual ~Collector() = default;

    /// Where its answers come from.
    virtual Source source() const = 0;

    /// The machine with its GPUs, which of them it measures on, or the sentence why it cannot.
    virtual const Hello& hello() const = 0;

    /// Sends one request and waits for its answer's body. Errors: environment, kernelFailed, needsConsent,
    /// interrupted, notRecorded, internal.
    virtual Result<Json> ask(Verb verb, const Json& body, const Job& job) = 0;
};

/// The chip that works are built for: of the device that the collector measures on, the usual one where it has none.
Chip chipOf(const Collector& collector);

// Typed requests over any collector. Each is watched: work that goes silent raises Job::notice (rule "never silent").
Result<ProbeAnswer> probe(Collector& collector, const Job& job = {});
Result<EnvReport> checkEnvironment(Collector& collector, const EnvRequest& request, const Job& job = {});
Result<MetricsAnswer> describeMetrics(Collector& collector, const MetricsRequest& request, const Job& job = {});
Result<CompileAnswer> compile(Collector& collector, const CompileRequest& request, const Job& job = {});
Result<RunAnswer> run(Collector& collector, const RunRequest& request, const Job& job = {});
Result<RunAnswer> profile(Collector& collector, const ProfileRequest& request, const Job& job = {});
Result<CountAnswer> count(Collector& collector, const CountRequest& request, const Job& job = {});
/// Launches the work and nothing else, `repeat` times.
Result<RunAnswer> launch(Collector& collector, const LaunchRequest& request, const Job& job = {});
Result<AbAnswer> interleave(Collector& collector, const AbRequest& request, const Job& job = {});

} // namespace kl
