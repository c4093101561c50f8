// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/device/lazy_device.h"

#include <memory>
#include <optional>

namespace kl::inline client {
class Consent;
}

namespace kl::cli {

/// Of every device of a command. `opening`: as WorkerOptions::opening.
WorkerOptions workerOptions(std::shared_ptr<Consent> consent, Job opening);

/// The device that --on names. Without a usable GPU every request is an error that points to `--on sample`; it never falls back by itself.
class UsableDevice final : public LazyDevice {
public:
    /// `consent`: to the commands in files that a worker would run; unset: each is refused. `opening`: as WorkerOptions::opening.
    explicit UsableDevice(DeviceSpec device, std::shared_ptr<Consent> consent = {}, Job opening = {});

    /// Chooses again, before the first request: another source than that of --on takes its place.
    void choose(Source source);

    Result<Json> ask(Verb verb, const Json& body, const Job& job) override;

    /// Unset when it can measure, else the reason with what to do.
    std::optional<Error> unusable() const;
};

} // namespace kl::cli
