// SPDX-License-Identifier: MIT
#include "profiler/device/slurm_device.h"

#include "core/base/try.h"
#include "profiler/device/spread_device.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/slurm_job.h"

#include <atomic>
#include <condition_variable>
#include <fmt/format.h>
#include <list>
#include <nlohmann/json.hpp>

namespace kl::inline devices {
namespace {

using std::chrono::seconds;

constexpr seconds kFirstLook{1};
constexpr seconds kLongestLook{10}; ///< between looks at the queue
constexpr int kMostFruitless = 2;   ///< jobs in a row that ended without an answer
constexpr seconds kIdle{300};       ///< without a client, until a job ends by itself: it holds a GPU
constexpr seconds kHello{120};      ///< the relay itself waits a minute for the worker to listen

Error makeJobInterruptedError(const std::string& job)
{
    return {.code = ErrorCode::interrupted, .message = fmt::format("Canceled while Slurm job {} was waited for.", job), .where = job};
}

/// "pending (Resources), to start at 2026-11-23T17:20:00".
std::string describe(const SlurmTask& task)
{
    std::string state = task.state;
    for (char& c : state)
        c = c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return fmt::format("{}{}{}", state, task.reason.empty() || task.reason == "None" ? std::string() : fmt::format(" ({})", task.reason),
                       task.start.empty() || task.phase() != SlurmPhase::waiting ? std::string() : ", to start at " + task.start);
}

/// Returns early once that is requested.
void pauseFor(seconds time, const std::stop_token& stop)
{
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait_for(lock, stop, time, [] { return false; });
}

/// Whether Slurm ended a job for reasons of its own, so that another one may end what it began.
bool isReplaceable(const SlurmTask& task)
{
    const std::string& state = task.state;
    return task.reason == "JobLaunchFailure" || state == "TIMEOUT" || state == "NODE_FAIL" || state == "PREEMPTED" || state == "BOOT_FAIL";
}

std::string formatHost(const SlurmOrder& order)
{
    return std::string(kSlurm) + order.partition;
}

/// Its time is reported to the opener of the device.
Result<std::shared_ptr<SlurmJob>> submit(const SlurmOrder& order, const WorkerOptions& options)
{
    return SlurmJob::submit(order, [held = options.held, host = formatHost(order)](seconds time) {
        if (held)
            held({host, static_cast<double>(time.count())});
    });
}

/// A worker in one task of a job that is ours.
class SlurmDevice final : public Collector {
public:
    SlurmDevice(std::shared_ptr<SlurmJob> job, int task, SlurmOrder order, WorkerOptions options)
        : job_(std::move(job)), task_(task), order_(std::move(order)), host_(formatHost(order_)), options_(std::move(options))
    {
    }
    ~SlurmDevice() override
    {
        worker_.reset();
        job_->cancel(task_); // the others of an array may work on
    }

    /// Waits in the queue, then starts the worker.
    Status open(const Job& job);

    Source source() const override { return Source::live; }
    const Hello& hello() const override { return *hello_; }
    std::string remoteHost() const override { return host_; }
    std::string sameDevice() const override;
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override;

private:
    Result<SlurmTask> waitUntilRunning(const Job& job) const;
    Error explainEnd(const SlurmTask& task) const;
    Status connect(const SlurmTask& task, const Job& job);
    Status recover(const Job& job);

    std::shared_ptr<SlurmJob> job_;
    int task_;
    SlurmOrder order_;
    std::string host_;
    WorkerOptions options_;
    std::unique_ptr<Collector> worker_;
    std::string running_;                           ///< ID of the task whose worker that is
    int fruitless_ = 0;                             ///< jobs since the last answer
    std::list<Hello> hellos_ = std::list<Hello>(1); ///< the first one stays: it may be in use while another node takes over
    std::atomic<const Hello*> hello_ = &hellos_.front();
};

std::string SlurmDevice::sameDevice() const
{
    return running_.empty() ? std::string() : fmt::format("{},job={}", host_, running_);
}

Error SlurmDevice::explainEnd(const SlurmTask& task) const
{
    Error error = makeHostLostError(host_, fmt::format("Slurm job {} ended: {}.", job_->formatTaskId(task_), describe(task)),
                                    "The detail has what it printed. The reason is Slurm's.");
    error.detail = job_->log(task);
    return error;
}

Result<SlurmTask> SlurmDevice::waitUntilRunning(const Job& job) const
{
    const auto begin = SlurmJob::Clock::now();
    for (seconds pause = kFirstLook;; pause = std::min(pause * 2, kLongestLook)) {
        KL_ASSIGN(SlurmTask task, job_->task(task_));
        if (task.phase() == SlurmPhase::running)
            return task;
        if (task.phase() == SlurmPhase::ended)
            return explainEnd(task);
        job.report(fmt::format("Slurm job {} on {}: {}", job_->formatTaskId(task_), order_.partition, describe(task)),
                   std::chrono::duration<double>(SlurmJob::Clock::now() - begin).count());
        pauseFor(pause, job.stop);
        if (job.stop.stop_requested())
            return makeJobInterruptedError(job_->formatTaskId(task_));
    }
}

Status SlurmDevice::connect(const SlurmTask& task, const Job& job)
{
    WorkerOptions relayed = options_;
    relayed.opening = job;
    relayed.program = order_.worker;
    relayed.host = host_;
    relayed.hello = kHello;
    relayed.arguments = {"--relay", host_, "--job", task.id, "--name", job_->name() + '-' + task.id, "--worker", order_.worker.string()};
    Result<std::unique_ptr<Collector>> started = startWorker(relayed);
    if (!started) {
        Error error = started.error();
        if (error.detail.empty())
            error.detail = job_->log(task);
        return error;
    }
    worker_ = std::move(*started);
    running_ = task.id;
    hello_ = &hellos_.emplace_back(worker_->hello());
    return {};
}

Status SlurmDevice::open(const Job& job)
{
    while (true) {
        const Result<SlurmTask> task = waitUntilRunning(job);
        Status connected = task ? connect(*task, job) : Status(task.error());
        if (connected || !isHostLost(connected.error()))
            return connected;
        KL_TRY(recover(job));
    }
}

/// After the worker was lost: until its job, or one that takes its place, may have another one. Error where there will be none.
Status SlurmDevice::recover(const Job& job)
{
    const auto tell = [&](const std::string& text) {
        if (job.notice)
            job.notice(text);
    };
    worker_.reset();
    running_.clear();
    while (true) {
        pauseFor(kFirstLook, job.stop); // what squeue said before is no longer news
        if (job.stop.stop_requested())
            return makeJobInterruptedError(job_->formatTaskId(task_));
        KL_ASSIGN(const SlurmTask task, job_->task(task_));
        if (task.phase() == SlurmPhase::ending)
            continue;
        if (task.phase() == SlurmPhase::running) { // queued again, and already granted; or its worker died alone
            tell(fmt::format("The worker in Slurm job {} was lost; the job runs.", job_->formatTaskId(task_)));
            return ++fruitless_ > kMostFruitless ? Status(explainEnd(task)) : Status();
        }
        if (task.phase() == SlurmPhase::waiting) {
            tell(fmt::format("Slurm has queued job {} again: {}.", job_->formatTaskId(task_), describe(task)));
            return {};
        }
        if (!isReplaceable(task) || ++fruitless_ > kMostFruitless)
            return explainEnd(task);
        SlurmOrder order = order_;
        order.workers = 1;
        KL_ASSIGN(std::shared_ptr<SlurmJob> next, submit(order, options_));
        tell(fmt::format("Slurm job {} ended: {}. Job {} takes its place.", job_->formatTaskId(task_), describe(task), next->id()));
        job_ = std::move(next);
        task_ = 0;
        return {};
    }
}

Result<Json> SlurmDevice::ask(Verb verb, const Json& body, const Job& job)
{
    while (true) {
        if (!worker_)
            KL_TRY(open(job));
        Result<Json> answer = worker_->ask(verb, body, job);
        if (answer || !isHostLost(answer.error())) {
            fruitless_ = 0;
            return answer;
        }
        KL_TRY(recover(job));
    }
}

/// A worker in a job that somebody else holds: it is a step of that job, and ends with its client.
Result<std::unique_ptr<Collector>> openInJob(const RemoteGpu& place, const WorkerOptions& options)
{
    std::vector<std::string> command = stepCommand(place.job, true, workerProgram(options), {});
    WorkerOptions inside = options;
    inside.program = "/usr/bin/env";
    inside.arguments = std::move(command);
    inside.host = place.host;
    return startWorker(inside);
}

} // namespace

Result<std::unique_ptr<Collector>> openSlurm(const RemoteGpu& place, const WorkerOptions& options)
{
    if (!place.job.empty())
        return openInJob(place, options);
    const SlurmOrder order{
        place.host.substr(kSlurm.size()), place.options, place.workers, workerProgram(options), {"--idle", std::to_string(kIdle.count())}};
    KL_ASSIGN(const std::shared_ptr<SlurmJob> job, submit(order, options));
    const auto openTask = [order, options, job](int task) -> OpenWorker {
        return [=](const Job& opening) -> Result<std::unique_ptr<Collector>> {
            auto device = std::make_unique<SlurmDevice>(job, task, order, options);
            KL_TRY(device->open(opening));
            return std::unique_ptr<Collector>(std::move(device));
        };
    };
    if (place.workers == 1)
        return openTask(0)(options.opening);
    std::vector<OpenWorker> workers;
    for (int task = 0; task < place.workers; ++task)
        workers.push_back(openTask(task));
    return openSpread(std::move(workers), options.opening);
}

} // namespace kl::inline devices
