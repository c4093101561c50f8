// SPDX-License-Identifier: MIT
#include "profiler/client/worker_client.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "kernels/data/base64.h"
#include "profiler/client/consent.h"
#include "profiler/client/contents.h"
#include "profiler/client/worker_link.h"
#include "profiler/protocol/address_taken.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <list>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/eventfd.h>
#include <unistd.h>

namespace kl::inline client {
namespace {

using Clock = WorkerLink::Clock;

/// Time for a worker to exit after closing its output or receiving shutdown: on a busy host even that takes a while.
constexpr std::chrono::seconds kEndPatience{5};

/// Workers that a request is given to, each with other addresses, until one has those that it needs.
constexpr int kMostWorkers = 6;

/// Time for a relay to tell its host that the worker there is to be killed.
constexpr std::chrono::seconds kRelayPatience{2};

double seconds(Clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

/// Parts of another host, whose clock is not ours: they ended when their answer came.
void endNow(std::vector<TimedPart>& parts)
{
    std::int64_t last = 0;
    for (const TimedPart& part : parts)
        last = std::max(last, part.endNs);
    const std::int64_t shift = std::chrono::nanoseconds(Clock::now().time_since_epoch()).count() - last;
    for (TimedPart& part : parts) {
        part.beginNs += shift;
        part.endNs += shift;
    }
}

/// Becomes readable once stop is requested, so that poll wakes at once.
class StopSignal {
public:
    explicit StopSignal(const std::stop_token& token) : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), callback_(token, Raise{fd_.get()}) {}
    int fd() const noexcept { return fd_.get(); }

private:
    struct Raise {
        int fd;
        void operator()() const noexcept { (void)::eventfd_write(fd, 1); }
    };
    Fd fd_;
    std::stop_callback<Raise> callback_;
};

/// Policy over WorkerLink: hello, deadlines, canceling, and a fresh worker after a bad end.
class WorkerClient final : public Collector {
public:
    explicit WorkerClient(WorkerOptions options) : options_(std::move(options)) {}
    ~WorkerClient() override { shutDown(); }

    Status start(const std::stop_token& stop);
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return *hello_; }
    std::string remoteHost() const override { return options_.host; }
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override;

private:
    Result<Json> deliver(Verb verb, const Json& body, const Job& job);
    Result<Json> exchange(const char* word, const Json& body, const Job& job);
    Status sendContents(const ContentPieces& pieces, const Job& job);

    struct Waiting {
        int id = 0;
        const char* verb = "";
        std::string step = "starting";
        Clock::time_point stepBegan = Clock::now();
        Clock::time_point lastEvent = Clock::now();
        bool canceled = false;
        Clock::time_point cancelEnds;
    };
    Clock::time_point computeDeadline(const Waiting& waiting) const;
    std::optional<Result<Json>> handle(WorkerEvent event, Waiting& waiting, const Job& job);
    Error fail(ErrorCode code, std::string message, std::string hint);
    Error overdue(const Waiting& waiting);
    Error explainDeath(const Waiting& waiting);
    void letGo();
    void shutDown();

    WorkerOptions options_;
    std::mutex oneAtATime_;
    std::optional<WorkerLink> link_;
    // The window asks for the hello while a request starts a fresh worker: the first hello is kept.
    std::list<Hello> hellos_ = std::list<Hello>(1);
    std::atomic<const Hello*> hello_ = &hellos_.front();
    int lastId_ = 0;
    std::set<std::string> held_; ///< hashes of what the worker has
};

Error WorkerClient::fail(ErrorCode code, std::string message, std::string hint)
{
    if (!options_.host.empty())
        link_->process().askToEnd(kRelayPatience);
    // Reading once more after the kill keeps the words that it wrote while dying.
    link_->process().killGroup();
    Error error{
        .code = code, .message = std::move(message), .hint = std::move(hint), .where = "kloop-worker", .detail = link_->errorTail()};
    link_.reset();
    return error;
}

Status WorkerClient::start(const std::stop_token& stop)
{
    const Timed time("start of the worker");
    KL_ASSIGN(WorkerLink started, WorkerLink::start(options_));
    link_.emplace(std::move(started));
    const StopSignal stopped(stop);
    const Result<WorkerLink::Wake> wake = link_->wait(Clock::now() + options_.hello, stopped.fd());
    if (!wake)
        return fail(ErrorCode::environment, wake.error().message, wake.error().hint);
    if (*wake == WorkerLink::Wake::stopped)
        return fail(ErrorCode::interrupted, "Canceled before the worker was ready.", {});
    if (*wake == WorkerLink::Wake::timeout)
        return fail(ErrorCode::environment, fmt::format("The worker did not respond within {:.0f} s of starting.", seconds(options_.hello)),
                    "The CUDA driver may hang: check whether nvidia-smi responds.");
    if (*wake != WorkerLink::Wake::event) {
        link_->process().wait(kEndPatience);
        return fail(ErrorCode::environment, fmt::format("The worker {} before it was ready.", link_->process().describeEnd()),
                    "Its last output is in the detail.");
    }
    const WorkerEvent event = link_->take();
    if (event.error) { // of a relay that cannot reach its host
        link_->process().wait(kEndPatience);
        link_.reset();
        return *event.error;
    }
    if (!event.hello)
        return fail(ErrorCode::environment, "The worker's first event was not \"hello\".", "Reinstall KernelLoop.");
    if (event.hello->protocol != kProtocolVersion) {
        Error error =
            fail(ErrorCode::environment,
                 fmt::format("The worker {}{} uses protocol {}; this program uses {}.", event.hello->version,
                             options_.host.empty() ? std::string() : " on " + options_.host, event.hello->protocol, kProtocolVersion),
                 "Install the same version of KernelLoop for both.");
        error.where = kOtherProtocol;
        return error;
    }
    held_.clear();
    if (*event.hello != *hello_)
        hello_ = &hellos_.emplace_back(*event.hello);
    return {};
}

Clock::time_point WorkerClient::computeDeadline(const Waiting& waiting) const
{
    Clock::time_point end = std::min(waiting.lastEvent + options_.silence, waiting.stepBegan + options_.deadline);
    return waiting.canceled ? std::min(end, waiting.cancelEnds) : end;
}

Error WorkerClient::overdue(const Waiting& waiting)
{
    if (waiting.canceled)
        return fail(ErrorCode::interrupted, fmt::format("Canceled during \"{}\".", waiting.step), {});
    const auto now = Clock::now();
    if (now >= waiting.lastEvent + options_.silence)
        return fail(ErrorCode::kernelFailed,
                    fmt::format("The worker was silent for {:.0f} s during \"{}\" ({}) and was stopped.", seconds(now - waiting.lastEvent),
                                waiting.step, waiting.verb),
                    "The kernel may hang: look for a barrier that not every thread reaches, or a loop that never ends.");
    return fail(
        ErrorCode::kernelFailed,
        fmt::format("\"{}\" ({}) took longer than its {:.0f} s and was stopped.", waiting.step, waiting.verb, seconds(options_.deadline)),
        "The kernel may hang, or the problem is too large: try the smallest problem.");
}

Error WorkerClient::explainDeath(const Waiting& waiting)
{
    link_->process().wait(kEndPatience);
    const std::string how = link_->process().describeEnd();
    if (waiting.canceled)
        return fail(ErrorCode::interrupted, fmt::format("Canceled during \"{}\".", waiting.step), {});
    return fail(ErrorCode::kernelFailed, fmt::format("The worker {} during \"{}\" ({}).", how, waiting.step, waiting.verb),
                "The next request starts a new worker. The tail of its error stream is in the detail.");
}

std::optional<Result<Json>> WorkerClient::handle(WorkerEvent event, Waiting& waiting, const Job& job)
{
    waiting.lastEvent = Clock::now();
    if (!options_.host.empty())
        endNow(event.phases);
    for (TimedPart& part : event.phases) {
        part.name.insert(0, "worker: ");
        addTiming(std::move(part));
    }
    if (event.id && *event.id != waiting.id)
        return std::nullopt; // a late word about an earlier request
    switch (event.kind) {
    case WorkerEvent::Kind::hello: return std::nullopt;
    case WorkerEvent::Kind::progress:
        if (event.progress->step != waiting.step) {
            waiting.step = event.progress->step;
            waiting.stepBegan = waiting.lastEvent;
        }
        if (job.progress)
            job.progress(*event.progress);
        return std::nullopt;
    case WorkerEvent::Kind::partial:
        if (job.partial)
            job.partial(event.answer);
        return std::nullopt;
    case WorkerEvent::Kind::output:
        if (job.output)
            job.output(event.output, event.errors);
        return std::nullopt;
    case WorkerEvent::Kind::error: return Result<Json>(*event.error);
    case WorkerEvent::Kind::result: break;
    }
    return Result<Json>(std::move(event.answer));
}

Result<Json> WorkerClient::ask(Verb verb, const Json& body, const Job& job)
{
    for (const FileCommand& command : fileCommandsIn(verb, body, options_.host))
        KL_TRY(options_.consent ? options_.consent->allow(command, job) : needsConsent(command));
    const std::lock_guard guard(oneAtATime_);
    const Timed time(std::string("request ") + toWord(verb));
    if (job.stop.stop_requested())
        return Error{.code = ErrorCode::interrupted, .message = "Canceled before it started.", .where = toWord(verb)};
    for (int worker = 1;; ++worker) {
        if (!link_)
            KL_TRY(start(job.stop));
        Result<Json> answer = deliver(verb, body, job);
        if (answer || answer.error().detail != kAddressTaken || worker == kMostWorkers || !link_)
            return answer;
        job.report(fmt::format("starting a worker with other addresses ({})", worker));
        letGo();
    }
}

Result<Json> WorkerClient::deliver(Verb verb, const Json& body, const Job& job)
{
    ContentPieces pieces;
    const bool apart = !options_.host.empty() && hello_.load()->contents;
    const std::optional<Json> shorter = apart ? withoutContents(body, pieces) : std::nullopt;
    if (!shorter)
        return exchange(toWord(verb), body, job);
    for (int attempt = 0; attempt < 2; ++attempt) { // another worker there may make room meanwhile
        const Status sent = sendContents(pieces, job);
        if (!sent && (!link_ || sent.error().code != ErrorCode::environment))
            return sent.error();
        if (!sent)
            break; // it cannot keep them: its disk may be full
        Result<Json> answer = exchange(toWord(verb), *shorter, job);
        if (answer || !isContentGone(answer.error()))
            return answer;
        held_.clear();
    }
    return exchange(toWord(verb), body, job);
}

/// Those that the worker does not have yet.
Status WorkerClient::sendContents(const ContentPieces& pieces, const Job& job)
{
    Json hashes = Json::array();
    for (const auto& [hash, piece] : pieces)
        if (!held_.contains(hash))
            hashes.push_back(hash);
    if (hashes.empty())
        return {};
    KL_ASSIGN(const Json answer, exchange(kHave, Json{{"hashes", hashes}}, job));
    const Json missing = answer.value("missing", Json::array());
    std::size_t sent = 0;
    for (const auto& [hash, piece] : pieces) {
        if (std::ranges::find(missing, Json(hash)) != missing.end()) {
            job.report(fmt::format("sending inputs to {}: part {} of {}", options_.host, ++sent, missing.size()));
            KL_ASSIGN([[maybe_unused]] const Json kept, exchange(kKeep, Json{{"hash", hash}, {"base64", toBase64(packPiece(piece))}}, job));
        }
        held_.insert(hash);
    }
    return {};
}

Result<Json> WorkerClient::exchange(const char* word, const Json& body, const Job& job)
{
    Waiting waiting;
    waiting.id = ++lastId_;
    waiting.verb = word;
    link_->send(requestLine(waiting.id, waiting.verb, body));
    const StopSignal stop(job.stop);
    while (true) {
        const Result<WorkerLink::Wake> wake = link_->wait(computeDeadline(waiting), waiting.canceled ? -1 : stop.fd());
        if (!wake)
            return fail(ErrorCode::internal, wake.error().message + " (" + wake.error().detail + ")", wake.error().hint);
        switch (*wake) {
        case WorkerLink::Wake::event: {
            WorkerEvent event = link_->take();
            const bool last = event.last;
            if (std::optional<Result<Json>> answer = handle(std::move(event), waiting, job)) {
                if (last)
                    letGo();
                return std::move(*answer);
            }
            if (!link_->pending() && waiting.lastEvent >= computeDeadline(waiting)) // it talks and talks
                return overdue(waiting);
            break;
        }
        case WorkerLink::Wake::ended: return explainDeath(waiting);
        case WorkerLink::Wake::stopped:
            waiting.canceled = true;
            waiting.cancelEnds = Clock::now() + options_.cancel;
            link_->send(requestLine(++lastId_, kCancel, Json{{"id", waiting.id}}));
            break;
        case WorkerLink::Wake::timeout:
            if (Clock::now() >= computeDeadline(waiting))
                return overdue(waiting);
            break;
        }
    }
}

/// Ends the worker. One that announced its end must not be sent another request: it may look alive for a moment longer.
void WorkerClient::letGo()
{
    link_->process().closeInput();
    link_->process().wait(kEndPatience);
    link_->process().killGroup();
    link_.reset();
}

void WorkerClient::shutDown()
{
    if (!link_)
        return;
    const Timed time("end of the worker");
    link_->send(requestLine(++lastId_, kShutdown, Json::object()));
    // Its answer, if any, is not waited for: what ends it is the end of its input.
    (void)link_->wait(Clock::now() + std::chrono::milliseconds(1));
    link_->process().closeInput();
    link_->process().wait(kEndPatience);
    link_.reset();
}

} // namespace

std::filesystem::path workerProgram(const WorkerOptions& options)
{
    if (!options.program.empty())
        return options.program;
    // Another worker than the one beside this program: a build folder's, or a test's.
    if (const char* other = std::getenv("KERNELLOOP_WORKER"); other && *other)
        return other;
    std::error_code problem;
    return std::filesystem::read_symlink("/proc/self/exe", problem).parent_path() / "kloop-worker";
}

Result<std::unique_ptr<Collector>> startWorker(const WorkerOptions& options)
{
    WorkerOptions chosen = options;
    chosen.program = workerProgram(options);
    if (!chosen.gpu.empty())
        chosen.arguments.insert(chosen.arguments.end(), {"--device", chosen.gpu});
    if (!chosen.under.empty()) {
        std::vector<std::string> words(chosen.under.begin() + 1, chosen.under.end());
        words.push_back(chosen.program.string());
        words.emplace_back("--orderly-end"); // the tool writes what it found when it sees the worker end
        chosen.arguments.insert(chosen.arguments.begin(), words.begin(), words.end());
        chosen.program = chosen.under.front();
    }
    auto client = std::make_unique<WorkerClient>(std::move(chosen));
    KL_TRY(client->start(options.opening.stop));
    return std::unique_ptr<Collector>(std::move(client));
}

} // namespace kl::inline client
