// SPDX-License-Identifier: MIT
#include "profiler/device/lazy_device.h"

#include "core/base/try.h"
#include "profiler/client/consent.h"

#include <nlohmann/json.hpp>

namespace kl::inline devices {

Result<Collector*> LazyDevice::open() const
{
    if (!collector_ && !failure_) {
        Result<std::unique_ptr<Collector>> opened = openDevice(device_, options_);
        if (opened) {
            collector_ = std::move(*opened);
        } else {
            failure_ = opened.error();
            closed_.unavailable = failure_->hint.empty() ? failure_->message : failure_->message + ' ' + failure_->hint;
        }
    }
    if (failure_)
        return *failure_;
    return collector_.get();
}

const Hello& LazyDevice::hello() const
{
    const Result<Collector*> opened = open();
    return opened ? (*opened)->hello() : closed_;
}

std::string LazyDevice::remoteHost() const
{
    const std::vector<std::string> hosts = listDeviceHosts(device_);
    if (hosts.empty())
        return {};
    const Result<Collector*> opened = open();
    return opened ? (*opened)->remoteHost() : hosts.front();
}

const Hello& LazyDevice::getAnsweringHello() const
{
    const Result<Collector*> opened = open();
    return opened ? (*opened)->getAnsweringHello() : closed_;
}

std::string LazyDevice::sameDevice() const
{
    const Result<Collector*> opened = open();
    return opened ? (*opened)->sameDevice() : std::string();
}

int LazyDevice::width() const
{
    const Result<Collector*> opened = open();
    return opened ? (*opened)->width() : 1;
}

void LazyDevice::expect(const std::vector<ExpectedRequest>& requests)
{
    if (const Result<Collector*> opened = open())
        (*opened)->expect(requests);
}

bool LazyDevice::holds(Verb verb, const Json& body) const
{
    const Result<Collector*> opened = open();
    return !opened || (*opened)->holds(verb, body);
}

Status LazyDevice::allow(const FileCommand& command, const Job& job)
{
    return options_.consent ? options_.consent->allow(command, job) : Status(needsConsent(command));
}

Result<Json> LazyDevice::ask(Verb verb, const Json& body, const Job& job)
{
    KL_ASSIGN(auto* opened, open());
    return opened->ask(verb, body, job);
}

} // namespace kl::inline devices
