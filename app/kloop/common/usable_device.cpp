// SPDX-License-Identifier: MIT
#include "app/kloop/common/usable_device.h"

#include "profiler/client/consent.h"
#include "sessions/hosts/host_list.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

constexpr const char* kSaySample = "Use --on sample for a recording of an H200, which needs no GPU. See what is missing here.";

/// What the device's machine lacks.
NextStep environmentStep(const DeviceSpec& device)
{
    NextStep step{StepId::checkEnvironment};
    step.set(StepArgument::source, isElsewhere(device) ? toText(device) : std::string());
    return step;
}

/// What it meets joins the list of hosts.
WorkerOptions noteMeetings(WorkerOptions options)
{
    options.met = noteMeeting;
    return options;
}

} // namespace

WorkerOptions workerOptions(std::shared_ptr<Consent> consent, Job opening)
{
    WorkerOptions options;
    options.opening = std::move(opening);
    options.held = [](const HeldTime& held) { noteHeldTime(held.host, held.seconds); };
    options.cancel = std::chrono::seconds(1); // a stopped command has two seconds to end
    options.consent = std::move(consent);
    return options;
}

UsableDevice::UsableDevice(DeviceSpec device, std::shared_ptr<Consent> consent, Job opening)
    : LazyDevice(std::move(device), noteMeetings(workerOptions(std::move(consent), std::move(opening))))
{
}

void UsableDevice::choose(Source source)
{
    if (source != this->source())
        LazyDevice::choose(source == Source::sample ? DeviceSpec::sample() : DeviceSpec::local());
}

std::optional<Error> UsableDevice::unusable() const
{
    const Result<Collector*> opened = open();
    const bool remote = isElsewhere(spec());
    if (!opened) {
        Error error = opened.error();
        if (spec().kind == DeviceKind::local) {
            error.hint = kSaySample;
            error.next = {environmentStep(spec())};
        }
        return error;
    }
    if (const Hello& hello = (*opened)->hello(); hello.unavailable)
        return Error{.code = ErrorCode::environment,
                     .message = remote ? fmt::format("{}: {}", remoteHost(), *hello.unavailable) : *hello.unavailable,
                     .hint = remote ? "See what is missing there." : kSaySample,
                     .where = remote ? remoteHost() : "this machine"}
            .leadTo(environmentStep(spec()));
    return std::nullopt;
}

Result<Json> UsableDevice::ask(Verb verb, const Json& body, const Job& job)
{
    if (const std::optional<Error> error = unusable())
        return *error;
    return LazyDevice::ask(verb, body, job);
}

} // namespace kl::cli
