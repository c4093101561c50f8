// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/device/open_device.h"

#include <memory>
#include <optional>

namespace kl::inline devices {

/// A device that is opened by its first use, so that what only looks at stored data starts no worker. One that cannot be opened answers
/// every request with the reason. Opening is not safe from several threads: a program that shares it opens it first.
class LazyDevice : public Collector {
public:
    explicit LazyDevice(DeviceSpec device, WorkerOptions options = {}) : device_(std::move(device)), options_(std::move(options)) {}

    const DeviceSpec& spec() const noexcept { return device_; }
    /// Chooses again, before the first use.
    void choose(DeviceSpec device) { device_ = std::move(device); }

    Source source() const override { return chooseSource(device_); }
    const Hello& hello() const override;
    std::string remoteHost() const override;
    const Hello& getAnsweringHello() const override;
    std::string sameDevice() const override;
    int width() const override;
    void expect(const std::vector<ExpectedRequest>& requests) override;
    /// Opens it. True of a device that cannot be opened: its answers say why.
    bool holds(Verb verb, const Json& body) const override;
    /// As the consent of its options decides, which its workers follow, too.
    Status allow(const FileCommand& command, const Job& job) override;
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override;

    /// The worker or the recording itself, usable or not. Errors as openDevice.
    Result<Collector*> open() const;

private:
    DeviceSpec device_;
    WorkerOptions options_;
    mutable std::unique_ptr<Collector> collector_;
    mutable std::optional<Error> failure_;
    mutable Hello closed_; ///< of a device that cannot be opened
};

} // namespace kl::inline devices
