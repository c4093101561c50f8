// SPDX-License-Identifier: MIT
// What the host says about its own end: shutdowns that are planned, time limits of a batch job, clouds that take machines back.

#include "profiler/live/env/check.h"

#include <chrono>
#include <cstdlib>
#include <fmt/format.h>

namespace kl::inline live::env {
namespace {

constexpr double kShortMinutes = 30; // a session's profiling budget

double minutesUntil(double unixSeconds)
{
    const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    return (unixSeconds - now) / 60;
}

std::string inMinutes(double minutes)
{
    return minutes <= 0 ? std::string("now") : fmt::format("in {:.0f} min", minutes);
}

/// A shutdown that systemd has on its list ("USEC=1700000000000000").
std::string findPlannedShutdown(const EnvHost& host)
{
    const std::string plan = host.readFile("/run/systemd/shutdown/scheduled").value_or("");
    const auto at = plan.find("USEC=");
    if (at == std::string::npos)
        return {};
    return "This machine will shut down " + inMinutes(minutesUntil(std::strtod(plan.c_str() + at + 5, nullptr) / 1e6));
}

std::string amazon(const EnvHost& host)
{
    const Result<std::string> token = host.metadata("PUT", "/latest/api/token", {"X-aws-ec2-metadata-token-ttl-seconds: 60"});
    std::vector<std::string> headers;
    if (token)
        headers.push_back("X-aws-ec2-metadata-token: " + *token);
    const Result<std::string> action = host.metadata("GET", "/latest/meta-data/spot/instance-action", headers);
    return action ? "Amazon reclaims this spot instance: " + action->substr(0, 200) : std::string();
}

std::string google(const EnvHost& host)
{
    const Result<std::string> taken = host.metadata("GET", "/computeMetadata/v1/instance/preempted", {"Metadata-Flavor: Google"});
    return taken && taken->starts_with("TRUE") ? "Google is preempting this machine" : std::string();
}

std::string azure(const EnvHost& host)
{
    const Result<std::string> events = host.metadata("GET", "/metadata/scheduledevents?api-version=2020-07-01", {"Metadata: true"});
    return events && events->find("\"Preempt\"") != std::string::npos ? "Azure reclaims this spot machine: a Preempt event is scheduled"
                                                                      : std::string();
}

struct Cloud {
    const char* vendor; ///< in /sys/class/dmi/id/sys_vendor
    const char* name;
    std::string (*notice)(const EnvHost&);
};
constexpr Cloud kClouds[] = {{"Amazon EC2", "Amazon's metadata", amazon},
                             {"Google", "Google's metadata", google},
                             {"Microsoft Corporation", "Azure's events", azure}};

} // namespace

EnvCheck preemption(const Context& context)
{
    EnvCheck check{"preemption", Requirement::optional, {}, {}, "An unfinished measurement is lost when the machine shuts down.", {}};
    const char* fix = "Finish or stop here: what was measured is stored already, and a session can be resumed elsewhere.";
    const auto leaving = [&](std::string notice) {
        EnvCheck line = failCheck(check, std::move(notice), fix);
        line.next.push_back({StepId::resumeSession});
        return line;
    };
    std::string checkedPlaces = "systemd's shutdown list";
    if (const std::string notice = findPlannedShutdown(context.host); !notice.empty())
        return leaving(notice);
    if (const auto end = context.host.variable("SLURM_JOB_END_TIME")) {
        const double minutes = minutesUntil(std::strtod(end->c_str(), nullptr));
        if (minutes < kShortMinutes)
            return leaving("Slurm ends this job " + inMinutes(minutes));
        checkedPlaces += fmt::format(", Slurm ({:.0f} min left)", minutes);
    }
    const std::string vendor = context.host.readFile("/sys/class/dmi/id/sys_vendor").value_or("");
    for (const Cloud& cloud : kClouds)
        if (vendor.starts_with(cloud.vendor)) {
            if (const std::string notice = cloud.notice(context.host); !notice.empty())
                return leaving(notice);
            checkedPlaces += std::string(", ") + cloud.name;
        }
    return passCheck(check, "no notice (checked: " + checkedPlaces + ")");
}

} // namespace kl::inline live::env
