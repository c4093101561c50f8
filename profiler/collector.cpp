// SPDX-License-Identifier: MIT
#include "profiler/collector.h"

#include "profiler/protocol/message_codec.h"
#include "profiler/stall_watch.h"

#include <nlohmann/json.hpp>

namespace kl {
namespace {

template <class Answer> Result<Answer> askFor(Collector& collector, const char* verb, const Json& body, const Job& job)
{
    StallWatch watch(collector, verb, job);
    Result<Json> answer = collector.ask(verb, body, watch.job());
    if (!answer)
        return answer.error();
    return fromJsonMessage<Answer>(*answer);
}

} // namespace

void Job::report(const std::string& step, double elapsed, std::optional<double> expected) const
{
    if (progress)
        progress(Progress{0, step, elapsed, expected});
}

Chip chipOf(const Collector& collector)
{
    const Hello& hello = collector.hello();
    return hello.devices.empty() ? Chip{} : chipOf(hello.devices.front());
}

Result<ProbeAnswer> probe(Collector& collector, const Job& job)
{
    return askFor<ProbeAnswer>(collector, "probe", Json::object(), job);
}

Result<EnvReport> checkEnvironment(Collector& collector, const EnvRequest& request, const Job& job)
{
    return askFor<EnvReport>(collector, "env", toJsonMessage(request), job);
}

Result<MetricsAnswer> describeMetrics(Collector& collector, const MetricsRequest& request, const Job& job)
{
    return askFor<MetricsAnswer>(collector, "metrics", toJsonMessage(request), job);
}

Result<CompileAnswer> compile(Collector& collector, const CompileRequest& request, const Job& job)
{
    return askFor<CompileAnswer>(collector, "compile", toJsonMessage(request), job);
}

Result<RunAnswer> run(Collector& collector, const RunRequest& request, const Job& job)
{
    return askFor<RunAnswer>(collector, "run", toJsonMessage(request), job);
}

Result<RunAnswer> profile(Collector& collector, const ProfileRequest& request, const Job& job)
{
    return askFor<RunAnswer>(collector, "profile", toJsonMessage(request), job);
}

Result<CountAnswer> count(Collector& collector, const CountRequest& request, const Job& job)
{
    return askFor<CountAnswer>(collector, "count", toJsonMessage(request), job);
}

Result<RunAnswer> launch(Collector& collector, const LaunchRequest& request, const Job& job)
{
    return askFor<RunAnswer>(collector, "launch", toJsonMessage(request), job);
}

Result<AbAnswer> interleave(Collector& collector, const AbRequest& request, const Job& job)
{
    return askFor<AbAnswer>(collector, "ab", toJsonMessage(request), job);
}

} // namespace kl
