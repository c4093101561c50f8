// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/collector.h"

#include <memory>
#include <optional>
#include <string>

namespace kl {

class Consent;

/// The device that --on names, opened by the first request: commands that only look never start a worker. Without a usable
/// GPU every request is an error that tells of `--on sample`; it never falls back by itself.
class Device final : public Collector {
public:
    /// `on`: "local" (also for ""), or "sample". `consent`: to what files would have a worker run; nothing: it is refused.
    explicit Device(std::string on, std::shared_ptr<Consent> consent = {})
        : on_(on.empty() ? "local" : std::move(on)), consent_(std::move(consent))
    {
    }

    /// Chooses again, before the first request.
    void choose(Source source) { on_ = source == Source::sample ? "sample" : "local"; }

    Source source() const override { return on_ == "sample" ? Source::sample : Source::live; }
    const Hello& hello() const override;
    Result<Json> ask(const std::string& verb, const Json& body, const Job& job) override;

    /// The worker or the recording itself, usable or not: the environment check asks a worker that has no GPU, too.
    Result<Collector*> open() const;

    /// Nothing when it can measure, else the reason with what to do.
    std::optional<Error> unusable() const;

private:
    std::string on_;
    std::shared_ptr<Consent> consent_;
    mutable std::unique_ptr<Collector> collector_;
    mutable std::optional<Error> failure_;
    mutable Hello closed_;
};

} // namespace kl
