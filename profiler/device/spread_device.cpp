// SPDX-License-Identifier: MIT
#include "profiler/device/spread_device.h"

#include "core/base/try.h"
#include "profiler/expected_request.h"
#include "profiler/protocol/gpu_choice.h"
#include "profiler/remote/host_trouble.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <fmt/format.h>
#include <list>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <variant>

namespace kl::inline devices {
namespace {

/// What a program wrote that a worker runs.
struct ProgramBytes {
    std::string bytes;
    bool errors = false; ///< to its standard error
};

/// Of what a worker reports while it works; a sentence is a notice.
using News = std::variant<Progress, std::string, Json, ProgramBytes>;

struct Worker;

/// A request on its way. Guarded by the device's mutex, but for `stop`.
struct Errand {
    enum class State { waiting, running, done };

    Verb verb = Verb::run;
    Json body;
    bool home = false; ///< only for the home
    State state = State::waiting;
    std::deque<News> news;
    std::optional<Result<Json>> answer;
    const Hello* answeredBy = nullptr;
    std::stop_source stop;
    std::shared_ptr<std::set<const Worker*>> takers; ///< of this request and those equal to it, which were expected with it
};

/// Whether an errand is of this request, which outlives the answer.
auto isOf(Verb verb, const Json& body)
{
    return [verb, &body](const std::shared_ptr<Errand>& one) { return one->verb == verb && one->body == body; };
}

struct Worker {
    enum class State { opening, open, gone };

    OpenWorker openIt;
    State state = State::opening;
    std::unique_ptr<Collector> collector;
    std::optional<Error> failure;
    // As after its last answer: while it works on the next one, only its own thread asks it.
    const Hello* hello = nullptr; ///< in the device's hellos_
    std::string remoteHost = {};
    std::string sameDevice = {};
};

class SpreadDevice final : public Collector {
public:
    SpreadDevice(std::vector<OpenWorker> workers, Job opening);
    ~SpreadDevice() override;

    /// Until one worker is open. Error where none will be.
    Status waitForOne();

    Source source() const override { return Source::live; }
    const Hello& hello() const override;
    const Hello& getAnsweringHello() const override;
    std::string remoteHost() const override;
    std::string sameDevice() const override;
    int width() const override;
    void expect(const std::vector<ExpectedRequest>& requests) override;
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override;

private:
    void work(std::size_t index);
    void join(std::size_t index, Result<std::unique_ptr<Collector>> opened);
    void describe(Worker& worker);
    void leave(Worker& worker, const Error& why);
    std::shared_ptr<Errand> next(const Worker& worker);
    std::shared_ptr<Errand> take(Verb verb, const Json& body);
    Job makeJob(const std::shared_ptr<Errand>& errand);
    void deliver(const Job& job, std::unique_lock<std::mutex>& lock, Errand& errand);
    bool isAny(Worker::State state) const;
    Error failure() const;
    std::size_t ahead() const;
    bool leavesToAnother(const Worker& worker, const Errand& errand) const;

    Job opening_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::list<Worker> workers_;
    Worker* home_ = nullptr;                        ///< stays until it is lost, even if earlier ones open later; null while none is open
    std::list<Hello> hellos_ = std::list<Hello>(1); ///< kept: one may be in use while another worker takes over
    std::deque<std::shared_ptr<Errand>> expected_;  ///< in the order of asking; those that ask() took are gone
    std::deque<std::shared_ptr<Errand>> waiting_;   ///< to begin next
    const Hello* answeredBy_ = nullptr;
    bool ending_ = false;
    std::stop_source stop_;
    std::vector<std::jthread> threads_; ///< one for each worker, the last member: they use all others
};

SpreadDevice::SpreadDevice(std::vector<OpenWorker> workers, Job opening) : opening_(std::move(opening))
{
    for (OpenWorker& open : workers)
        workers_.push_back({std::move(open)});
    for (std::size_t index = 0; index < workers_.size(); ++index)
        threads_.emplace_back([this, index] { work(index); });
}

SpreadDevice::~SpreadDevice()
{
    {
        const std::scoped_lock lock(mutex_);
        ending_ = true;
        waiting_.clear();
        for (const std::shared_ptr<Errand>& errand : expected_)
            errand->stop.request_stop();
    }
    stop_.request_stop();
    changed_.notify_all();
    threads_.clear();
}

Status SpreadDevice::waitForOne()
{
    const std::stop_callback stopped(opening_.stop, [this] { stop_.request_stop(); });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return isAny(Worker::State::open) || !isAny(Worker::State::opening); });
    return isAny(Worker::State::open) ? Status() : Status(failure());
}

bool SpreadDevice::isAny(Worker::State state) const
{
    return std::ranges::any_of(workers_, [state](const Worker& worker) { return worker.state == state; });
}

/// Why there is no worker: the first one's reason.
Error SpreadDevice::failure() const
{
    for (const Worker& worker : workers_)
        if (worker.failure)
            return *worker.failure;
    return {.code = ErrorCode::environment, .message = "There is no worker to measure with.", .where = "--on"};
}

const Hello& SpreadDevice::hello() const
{
    const std::scoped_lock lock(mutex_);
    return home_ ? *home_->hello : hellos_.front();
}

const Hello& SpreadDevice::getAnsweringHello() const
{
    const std::scoped_lock lock(mutex_);
    return answeredBy_ ? *answeredBy_ : home_ ? *home_->hello : hellos_.front();
}

std::string SpreadDevice::remoteHost() const
{
    const std::scoped_lock lock(mutex_);
    return home_ ? home_->remoteHost : std::string();
}

std::string SpreadDevice::sameDevice() const
{
    const std::scoped_lock lock(mutex_);
    return home_ ? home_->sameDevice : std::string();
}

int SpreadDevice::width() const
{
    return static_cast<int>(workers_.size()); // also of those that are still to come
}

void SpreadDevice::expect(const std::vector<ExpectedRequest>& requests)
{
    const std::scoped_lock lock(mutex_);
    std::deque<std::shared_ptr<Errand>> earlier = std::exchange(expected_, {});
    for (const ExpectedRequest& request : requests) {
        const auto same = std::ranges::find_if(earlier, isOf(request.verb, request.body));
        if (same != earlier.end()) { // it goes on
            expected_.push_back(std::move(*same));
            earlier.erase(same);
            continue;
        }
        const auto errand = std::make_shared<Errand>();
        errand->verb = request.verb;
        errand->body = request.body;
        const auto equal = std::ranges::find_if(expected_, isOf(request.verb, request.body));
        errand->takers = equal == expected_.end() ? std::make_shared<std::set<const Worker*>>() : (*equal)->takers;
        expected_.push_back(errand);
        waiting_.push_back(errand);
    }
    for (const std::shared_ptr<Errand>& old : earlier) {
        old->stop.request_stop();
        std::erase(waiting_, old);
    }
    changed_.notify_all();
}

/// Answers that nobody has taken yet, and requests on their way to one. They are bounded, so that a command that stops, or fails at its
/// first answer, has wasted little.
std::size_t SpreadDevice::ahead() const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(expected_, [](const std::shared_ptr<Errand>& one) { return one->state != Errand::State::waiting; }));
}

/// Of equal requests, each open worker gets one before any gets a second.
bool SpreadDevice::leavesToAnother(const Worker& worker, const Errand& errand) const
{
    return errand.takers && errand.takers->contains(&worker) && std::ranges::any_of(workers_, [&](const Worker& other) {
               return other.state == Worker::State::open && !errand.takers->contains(&other);
           });
}

/// What a worker does next: what is asked for comes before what is only expected.
std::shared_ptr<Errand> SpreadDevice::next(const Worker& worker)
{
    const bool room = ahead() < 2 * workers_.size();
    for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
        const bool wasExpected = std::ranges::find(expected_, *it) == expected_.end();
        if (((*it)->home && &worker != home_) || (!wasExpected && !room) || leavesToAnother(worker, **it))
            continue;
        std::shared_ptr<Errand> errand = *it;
        waiting_.erase(it);
        if (errand->takers)
            errand->takers->insert(&worker);
        return errand;
    }
    return {};
}

/// Reports into the errand: they are read by the thread that asks for it, if one does.
Job SpreadDevice::makeJob(const std::shared_ptr<Errand>& errand)
{
    const auto put = [this, errand](News news) {
        const std::scoped_lock lock(mutex_);
        errand->news.push_back(std::move(news));
        if (errand->news.size() > 64 && std::holds_alternative<Progress>(errand->news.front()))
            errand->news.pop_front(); // nobody reads it yet
        changed_.notify_all();
    };
    Job job{[put](const Progress& progress) { put(progress); }, errand->stop.get_token()};
    job.notice = [put](const std::string& text) { put(text); };
    job.partial = [put](const Json& body) { put(body); };
    job.output = [put](std::string_view bytes, bool errors) { put(ProgramBytes{std::string(bytes), errors}); };
    return job;
}

void SpreadDevice::work(std::size_t index)
{
    Job opening = opening_;
    opening.stop = stop_.get_token();
    join(index, std::next(workers_.begin(), static_cast<std::ptrdiff_t>(index))->openIt(opening));
    std::unique_lock lock(mutex_);
    Worker& worker = *std::next(workers_.begin(), static_cast<std::ptrdiff_t>(index));
    while (worker.state == Worker::State::open) {
        std::shared_ptr<Errand> errand;
        changed_.wait(lock, [&] { return ending_ || (errand = next(worker)); });
        if (!errand)
            break;
        errand->state = Errand::State::running;
        changed_.notify_all(); // one that left an equal request to it may take that now
        lock.unlock();
        Result<Json> answer = worker.collector->ask(errand->verb, errand->body, makeJob(errand));
        lock.lock();
        if (!answer && isHostLost(answer.error())) {
            errand->state = Errand::State::waiting;
            waiting_.push_front(errand);
            leave(worker, answer.error());
            break;
        }
        describe(worker);
        errand->answeredBy = worker.hello;
        errand->answer = std::move(answer);
        errand->state = Errand::State::done;
        changed_.notify_all();
    }
    const std::unique_ptr<Collector> closed = std::move(worker.collector);
    lock.unlock(); // its end takes a while
}

/// The first one's GPU decides which model it is that they share.
void SpreadDevice::join(std::size_t index, Result<std::unique_ptr<Collector>> opened)
{
    std::unique_lock lock(mutex_);
    Worker& worker = *std::next(workers_.begin(), static_cast<std::ptrdiff_t>(index));
    if (!opened)
        return leave(worker, opened.error());
    const Hello& reportedHello = (*opened)->hello();
    if (reportedHello.unavailable)
        return leave(worker, {.code = ErrorCode::environment, .message = *reportedHello.unavailable, .where = reportedHello.host});
    const DeviceInfo* const ours = home_ ? findMeasuredDevice(*home_->hello) : nullptr;
    const DeviceInfo* const theirs = findMeasuredDevice(reportedHello);
    if (ours && theirs && ours->name != theirs->name)
        return leave(worker, {.code = ErrorCode::environment,
                              .message = fmt::format("The GPU of {} is left out: it is {}, the others are {}.", reportedHello.host,
                                                     theirs->name, ours->name),
                              .where = reportedHello.host});
    worker.collector = std::move(*opened);
    worker.state = Worker::State::open;
    describe(worker);
    if (!home_)
        home_ = &worker;
    changed_.notify_all();
}

void SpreadDevice::describe(Worker& worker)
{
    const Hello& reportedHello = worker.collector->hello();
    if (!worker.hello || reportedHello != *worker.hello) // another host took over
        worker.hello = &hellos_.emplace_back(reportedHello);
    worker.remoteHost = worker.collector->remoteHost();
    worker.sameDevice = worker.collector->sameDevice();
}

void SpreadDevice::leave(Worker& worker, const Error& why)
{
    worker.state = Worker::State::gone;
    worker.failure = why;
    if (home_ == &worker) {
        const auto next = std::ranges::find(workers_, Worker::State::open, &Worker::state);
        home_ = next == workers_.end() ? nullptr : &*next;
    }
    if (opening_.notice && !ending_ && (isAny(Worker::State::open) || isAny(Worker::State::opening)))
        opening_.notice(why.message);
    changed_.notify_all();
}

/// The errand that was expected, or a new one for the home.
std::shared_ptr<Errand> SpreadDevice::take(Verb verb, const Json& body)
{
    const auto found = std::ranges::find_if(expected_, isOf(verb, body));
    if (found != expected_.end()) {
        std::shared_ptr<Errand> errand = *found;
        expected_.erase(found);
        changed_.notify_all(); // there is room for another one
        return errand;
    }
    auto errand = std::make_shared<Errand>();
    errand->verb = verb;
    errand->body = body;
    errand->home = true;
    waiting_.push_front(errand);
    changed_.notify_all();
    return errand;
}

void SpreadDevice::deliver(const Job& job, std::unique_lock<std::mutex>& lock, Errand& errand)
{
    while (!errand.news.empty()) {
        const News news = std::move(errand.news.front());
        errand.news.pop_front();
        lock.unlock();
        if (const auto* progress = std::get_if<Progress>(&news); progress && job.progress)
            job.progress(*progress);
        if (const auto* text = std::get_if<std::string>(&news); text && job.notice)
            job.notice(*text);
        if (const auto* part = std::get_if<Json>(&news); part && job.partial)
            job.partial(*part);
        if (const auto* written = std::get_if<ProgramBytes>(&news); written && job.output)
            job.output(written->bytes, written->errors);
        lock.lock();
    }
}

Result<Json> SpreadDevice::ask(Verb verb, const Json& body, const Job& job)
{
    std::unique_lock lock(mutex_);
    const std::shared_ptr<Errand> errand = take(verb, body);
    const auto isOver = [&] {
        return errand->state == Errand::State::done ||
               (errand->state == Errand::State::waiting &&
                (job.stop.stop_requested() || (!isAny(Worker::State::open) && !isAny(Worker::State::opening))));
    };
    while (!isOver()) {
        changed_.wait(lock, job.stop, [&] { return isOver() || !errand->news.empty(); });
        if (job.stop.stop_requested() && errand->state == Errand::State::running) {
            errand->stop.request_stop();
            changed_.wait(lock, [&] { return errand->state != Errand::State::running; });
        }
        deliver(job, lock, *errand);
    }
    deliver(job, lock, *errand);
    if (errand->state == Errand::State::done) {
        answeredBy_ = errand->answeredBy;
        return *std::move(errand->answer);
    }
    std::erase(waiting_, errand);
    if (job.stop.stop_requested())
        return Error{.code = ErrorCode::interrupted, .message = "Canceled before it started.", .where = toWord(verb)};
    return failure();
}

} // namespace

Result<std::unique_ptr<Collector>> openSpread(std::vector<OpenWorker> workers, const Job& opening)
{
    auto device = std::make_unique<SpreadDevice>(std::move(workers), opening);
    KL_TRY(device->waitForOne());
    return std::unique_ptr<Collector>(std::move(device));
}

} // namespace kl::inline devices
