// SPDX-License-Identifier: MIT
#include "app/kloop/common/usable_device.h"

#include "profiler/client/consent.h"

#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr const char* kSaySample = "Use --on sample for a recording of an H200, which needs no GPU; kloop env shows what is missing here.";

/// A stopped command has two seconds to end.
WorkerOptions workerOptions(std::shared_ptr<Consent> consent)
{
    WorkerOptions options;
    options.cancel = std::chrono::seconds(1);
    options.consent = std::move(consent);
    return options;
}

} // namespace

UsableDevice::UsableDevice(DeviceSpec device, std::shared_ptr<Consent> consent)
    : LazyDevice(std::move(device), workerOptions(std::move(consent)))
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
    if (!opened) {
        Error error = opened.error();
        if (spec().kind == DeviceKind::local)
            error.hint = kSaySample;
        return error;
    }
    if ((*opened)->hello().unavailable)
        return Error{
            .code = ErrorCode::environment, .message = *(*opened)->hello().unavailable, .hint = kSaySample, .where = "this machine"};
    return std::nullopt;
}

Result<Json> UsableDevice::ask(Verb verb, const Json& body, const Job& job)
{
    if (const std::optional<Error> error = unusable())
        return *error;
    return LazyDevice::ask(verb, body, job);
}

} // namespace kl
