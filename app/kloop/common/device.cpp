// SPDX-License-Identifier: MIT
#include "app/kloop/common/device.h"

#include "profiler/client/worker_client.h"
#include "profiler/replay/replay.h"

#include <nlohmann/json.hpp>

namespace kl {
namespace {

constexpr const char* kSaySample = "Use --on sample for a recording of an H200, which needs no GPU; kloop env shows what is missing here.";

/// A stopped command has two seconds to end.
WorkerOptions workerOptions()
{
    WorkerOptions options;
    options.cancel = std::chrono::seconds(1);
    return options;
}

} // namespace

Result<Collector*> Device::open() const
{
    if (!collector_ && !failure_) {
        WorkerOptions options = workerOptions();
        options.consent = consent_;
        Result<std::unique_ptr<Collector>> opened = on_ == "sample" ? openSample() : startWorker(options);
        if (opened)
            collector_ = std::move(*opened);
        else
            failure_ = opened.error();
    }
    if (failure_)
        return *failure_;
    return collector_.get();
}

std::optional<Error> Device::unusable() const
{
    const Result<Collector*> opened = open();
    if (!opened) {
        Error error = opened.error();
        if (on_ == "local")
            error.hint = kSaySample;
        return error;
    }
    if ((*opened)->hello().unavailable)
        return Error{ErrorCode::environment, *(*opened)->hello().unavailable, kSaySample, "this machine", {}};
    return std::nullopt;
}

const Hello& Device::hello() const
{
    const Result<Collector*> opened = open();
    if (opened)
        return (*opened)->hello();
    closed_.unavailable = opened.error().message;
    return closed_;
}

Result<Json> Device::ask(const std::string& verb, const Json& body, const Job& job)
{
    if (const std::optional<Error> error = unusable())
        return *error;
    return collector_->ask(verb, body, job);
}

} // namespace kl
