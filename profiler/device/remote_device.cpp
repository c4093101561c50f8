// SPDX-License-Identifier: MIT
#include "profiler/device/remote_device.h"

#include "core/base/try.h"
#include "profiler/client/consent.h"
#include "profiler/device/slurm_device.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/slurm_commands.h"
#include "profiler/remote/worker_copy.h"

#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <list>
#include <nlohmann/json.hpp>

namespace kl::inline devices {
namespace {

/// Ends with the client, not with its own program: a relay asks its host first.
Result<std::unique_ptr<Collector>> startOverSsh(const RemoteGpu& place, const WorkerOptions& options)
{
    const std::filesystem::path worker = workerProgram(options);
    KL_ASSIGN(const std::string key, workerKey(worker));
    WorkerOptions relayed = options;
    relayed.program = worker;
    relayed.host = place.host;
    relayed.gpu = place.gpu;
    relayed.arguments = {"--relay", place.host, "--key", key};
    Result<std::unique_ptr<Collector>> started = startWorker(relayed);
    if (started || !(isWorkerMissing(started.error()) || started.error().where == kOtherProtocol))
        return started;
    KL_TRY(copyWorker(place.host, worker, key, started.error(), options.consent.get(), options.opening));
    return startWorker(relayed);
}

Result<std::unique_ptr<Collector>> startThere(const RemoteGpu& place, const WorkerOptions& options)
{
    return place.host.starts_with(kSlurm) ? openSlurm(place, options) : startOverSsh(place, options);
}

class RemoteDevice final : public Collector {
    using Clock = std::chrono::steady_clock;

public:
    RemoteDevice(std::vector<RemoteGpu> places, WorkerOptions options) : places_(std::move(places)), options_(std::move(options)) {}
    ~RemoteDevice() override { close(); }

    /// The first place from here on that can be opened.
    Status openFrom(std::size_t place, const Job& job);

    Source source() const override { return Source::live; }
    const Hello& hello() const override { return *hello_; }
    const Hello& getAnsweringHello() const override { return worker_ ? worker_->getAnsweringHello() : *hello_; }
    std::string remoteHost() const override { return places_[place_].host; }
    std::string sameDevice() const override { return worker_ ? worker_->sameDevice() : std::string(); }
    int width() const override { return worker_ ? worker_->width() : 1; }
    void expect(const std::vector<ExpectedRequest>& requests) override;
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override;

private:
    void close();
    void lose(const Error& why);

    std::vector<RemoteGpu> places_;
    WorkerOptions options_;
    std::unique_ptr<Collector> worker_; ///< empty after the last host was lost
    Clock::time_point opened_;          ///< when it was
    std::atomic<std::size_t> place_ = 0;
    std::list<Hello> hellos_ = std::list<Hello>(1); ///< the first one stays: it may be in use while another host takes over
    std::atomic<const Hello*> hello_ = &hellos_.front();
};

Status RemoteDevice::openFrom(std::size_t place, const Job& job)
{
    for (;; ++place) {
        WorkerOptions options = options_;
        options.opening = job;
        Result<std::unique_ptr<Collector>> started = startThere(places_[place], options);
        if (started) {
            worker_ = std::move(*started);
            opened_ = Clock::now();
            hello_ = &hellos_.emplace_back(worker_->hello());
            place_ = place;
            if (options_.met)
                options_.met(remoteHost(), worker_->hello());
            return {};
        }
        if (!isHostLost(started.error()))
            return started.error();
        if (options_.met)
            options_.met(places_[place].host, started.error());
        if (place + 1 == places_.size())
            return started.error();
        if (job.notice)
            job.notice(fmt::format("{} Continuing on {}.", started.error().message, places_[place + 1].host));
    }
}

void RemoteDevice::expect(const std::vector<ExpectedRequest>& requests)
{
    if (worker_)
        worker_->expect(requests);
}

/// Of a host of ssh's, its time is that of the conversation; Slurm counts by itself.
void RemoteDevice::close()
{
    if (worker_ && options_.held && !remoteHost().starts_with(kSlurm))
        options_.held({remoteHost(), std::chrono::duration<double>(Clock::now() - opened_).count()});
    worker_.reset();
}

/// A job of Slurm's can end without its partition being any worse.
void RemoteDevice::lose(const Error& why)
{
    close();
    if (options_.met && !remoteHost().starts_with(kSlurm))
        options_.met(remoteHost(), why);
}

Result<Json> RemoteDevice::ask(Verb verb, const Json& body, const Job& job)
{
    if (!worker_)
        KL_TRY(openFrom(0, job));
    while (true) {
        Result<Json> answer = worker_->ask(verb, body, job);
        if (answer || !isHostLost(answer.error()))
            return answer;
        lose(answer.error());
        const std::size_t next = place_ + 1;
        if (next == places_.size())
            return answer;
        if (job.notice)
            job.notice(fmt::format("{} Continuing on {}.", answer.error().message, places_[next].host));
        KL_TRY(openFrom(next, job));
    }
}

} // namespace

Result<std::unique_ptr<Collector>> openRemote(const std::vector<RemoteGpu>& hosts, WorkerOptions options)
{
    const Job opening = options.opening;
    auto device = std::make_unique<RemoteDevice>(hosts, std::move(options));
    KL_TRY(device->openFrom(0, opening));
    return std::unique_ptr<Collector>(std::move(device));
}

} // namespace kl::inline devices
