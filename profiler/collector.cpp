// SPDX-License-Identifier: MIT
#include "profiler/collector.h"

#include "core/base/try.h"
#include "profiler/protocol/gpu_choice.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/stall_watch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline profiler {
namespace {

template <Verb verb> Result<AnswerOf<verb>> answerTo(Collector& collector, const RequestOf<verb>& request, const Job& job)
{
    StallWatch watch(collector, verb, job);
    KL_ASSIGN(const Json answer, collector.ask(verb, toJsonMessage(request), watch.job()));
    return fromJsonMessage<AnswerOf<verb>>(answer);
}

} // namespace

void Job::report(const std::string& step, double elapsed, std::optional<double> expected) const
{
    if (progress)
        progress(Progress{0, step, elapsed, expected});
}

Status Collector::allow(const FileCommand& command, const Job&)
{
    Error refused{.code = ErrorCode::needsConsent,
                  .message = fmt::format("{} contains a command that this device does not start.", command.file),
                  .hint = "Measure on a GPU of this machine.",
                  .where = command.file};
    refused.command = std::make_shared<const FileCommand>(command);
    return refused;
}

Chip toChip(const Collector& collector)
{
    const DeviceInfo* device = findMeasuredDevice(collector.hello());
    return device ? toChip(*device) : Chip{};
}

Result<ProbeAnswer> probe(Collector& collector, const Job& job)
{
    return answerTo<Verb::probe>(collector, {}, job);
}

Result<EnvReport> checkEnvironment(Collector& collector, const EnvRequest& request, const Job& job)
{
    return answerTo<Verb::environment>(collector, request, job);
}

Result<MetricsAnswer> describeMetrics(Collector& collector, const MetricsRequest& request, const Job& job)
{
    return answerTo<Verb::metrics>(collector, request, job);
}

Result<CompileAnswer> compile(Collector& collector, const CompileRequest& request, const Job& job)
{
    return answerTo<Verb::compile>(collector, request, job);
}

Result<RunAnswer> run(Collector& collector, const RunRequest& request, const Job& job)
{
    return answerTo<Verb::run>(collector, request, job);
}

Result<RunAnswer> profile(Collector& collector, const ProfileRequest& request, const Job& job)
{
    return answerTo<Verb::profile>(collector, request, job);
}

Result<CountAnswer> count(Collector& collector, const CountRequest& request, const Job& job)
{
    return answerTo<Verb::count>(collector, request, job);
}

Result<RunAnswer> launch(Collector& collector, const LaunchRequest& request, const Job& job)
{
    return answerTo<Verb::launch>(collector, request, job);
}

Result<SanitizeAnswer> sanitizeLaunch(Collector& collector, const SanitizeRequest& request, const Job& job)
{
    return answerTo<Verb::sanitize>(collector, request, job);
}

Result<TimelineAnswer> recordTimeline(Collector& collector, const TimelineRequest& request, const Job& job)
{
    return answerTo<Verb::timeline>(collector, request, job);
}

Result<TraceProgramAnswer> traceProgram(Collector& collector, const TraceProgramRequest& request, const Job& job)
{
    return answerTo<Verb::trace>(collector, request, job);
}

Result<AbAnswer> interleave(Collector& collector, const AbRequest& request, const Job& job)
{
    return answerTo<Verb::compare>(collector, request, job);
}

} // namespace kl::inline profiler
