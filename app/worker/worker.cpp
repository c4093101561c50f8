// SPDX-License-Identifier: MIT
#include "app/worker/worker.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "core/codec/json_read.h"
#include "kernels/data/base64.h"
#include "profiler/client/contents.h"
#include "profiler/program/streamed_run.h"
#include "profiler/protocol/message_codec.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace kl::worker {
namespace {

constexpr std::chrono::seconds kBeat{1}; // the protocol promises progress every two
constexpr std::chrono::seconds kIdle{1};

/// The program has the GPU to itself: what the backend holds of it is let go first.
Result<Json> traceProgram(Backend& backend, const Json& body, const Job& job)
{
    backend.idle();
    KL_ASSIGN(const TraceProgramRequest request, fromJsonMessage<TraceProgramRequest>(body));
    KL_ASSIGN(const TraceProgramAnswer answer, runStreamed(request, job));
    return toJsonMessage(answer);
}

} // namespace

void Worker::serve(int input)
{
    std::thread gpu([this] { runGpu(); });
    std::thread heart([this] { beat(); });
    {
        std::unique_lock lock(mutex_); // hello comes first, before any error about a request
        wake_.wait(lock, [this] { return greeted_; });
    }
    readRequests(input);
    gpu.join();
    heart.join();
}

void Worker::readRequests(int input)
{
    std::string pending;
    std::size_t searched = 0; // of it, for the end of a line
    std::array<char, 65536> chunk{};
    while (true) {
        pollfd waiting{input, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, 200); // wakes to see that the GPU's thread has finished
        {
            const std::scoped_lock lock(mutex_);
            if (finished_)
                return;
        }
        if (ready <= 0)
            continue;
        const ssize_t got = ::read(input, chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        pending.append(chunk.data(), static_cast<std::size_t>(got));
        std::size_t begin = 0;
        for (auto end = pending.find('\n', searched); end != std::string::npos; end = pending.find('\n', begin)) {
            accept(pending.substr(begin, end - begin));
            begin = end + 1;
        }
        pending.erase(0, begin);
        searched = pending.size();
    }
    if (!pending.empty())
        accept(pending);
    const std::scoped_lock lock(mutex_);
    inputEnded_ = true;
    wake_.notify_all();
}

void Worker::accept(const std::string& line)
{
    if (line.find_first_not_of(" \t\r") == std::string::npos)
        return;
    Result<Json> parsed = parseJson(line, "request");
    if (!parsed || !parsed->is_object() || !parsed->contains("verb") || !(*parsed)["verb"].is_string()) {
        channel_.error(
            0, parsed ? Error{.code = ErrorCode::usage, .message = "A request needs an id, a verb and a body.", .where = "kloop-worker"}
                      : parsed.error());
        return;
    }
    const std::string& word = (*parsed)["verb"].get_ref<const std::string&>();
    int requestId = 0;
    if (const auto id = parsed->find("id"); id != parsed->end() && id->is_number_integer())
        requestId = id->get<int>();
    Json body = parsed->contains("body") ? std::move((*parsed)["body"]) : Json::object();
    if (!body.is_object())
        body = Json::object();
    if (word == kCancel) {
        if (const auto id = body.find("id"); body.is_object() && id != body.end() && id->is_number_integer())
            cancel(id->get<int>());
        return;
    }
    if (word == kShutdown) {
        const std::scoped_lock lock(mutex_);
        queue_.clear();
        stop_.request_stop();
        inputEnded_ = true;
        wake_.notify_all();
        return;
    }
    if (word == kHave || word == kKeep) {
        const Result<Json> answer = word == kHave ? listMissingContents(body) : keepContent(body);
        return answer ? channel_.result(requestId, *answer, false, {}) : channel_.error(requestId, answer.error());
    }
    if (const Status whole = restoreContents(body, [this](const std::string& hash) { return contents_.find(hash); }); !whole)
        return channel_.error(requestId, whole.error());
    const std::optional<Verb> verb = parseVerb(word);
    if (!verb) {
        channel_.error(requestId, {.code = ErrorCode::usage, .message = "Unknown request \"" + word + "\".", .where = "kloop-worker"});
        return;
    }
    const std::scoped_lock lock(mutex_);
    queue_.push_back({requestId, *verb, std::move(body)});
    wake_.notify_all();
}

Result<Json> Worker::listMissingContents(const Json& body) const
{
    Json missing = Json::array();
    if (const auto hashes = body.find("hashes"); hashes != body.end())
        for (const Json& hash : *hashes)
            if (hash.is_string() && !contents_.find(hash.get<std::string>()))
                missing.push_back(hash);
    return Json{{"missing", std::move(missing)}};
}

Result<Json> Worker::keepContent(const Json& body) const
{
    const std::optional<std::string> packed = fromBase64(textAt(body, "base64"));
    KL_TRY(contents_.keep(textAt(body, "hash"), packed.value_or("")));
    return Json::object();
}

void Worker::cancel(int id)
{
    bool waiting = false;
    {
        const std::scoped_lock lock(mutex_);
        if (running_ == id)
            stop_.request_stop();
        waiting = std::erase_if(queue_, [&](const Request& request) { return request.id == id; }) > 0;
    }
    if (waiting)
        channel_.error(id, {.code = ErrorCode::interrupted, .message = "The request was canceled."});
}

std::optional<Worker::Request> Worker::next(Backend& backend)
{
    std::unique_lock lock(mutex_);
    const auto wanted = [&] { return !queue_.empty() || inputEnded_; };
    if (!wake_.wait_for(lock, kIdle, wanted)) {
        lock.unlock();
        backend.idle();
        lock.lock();
        wake_.wait(lock, wanted);
    }
    if (queue_.empty())
        return {};
    Request request = std::move(queue_.front());
    queue_.pop_front();
    running_ = request.id;
    stop_ = {};
    last_ = {0, "starting", 0, {}};
    stepBegan_ = Clock::now();
    return request;
}

void Worker::runGpu()
{
    const std::unique_ptr<Backend> backend = makeBackend_();
    Hello hello = backend->hello();
    hello.contents = true;
    channel_.hello(hello);
    {
        const std::scoped_lock lock(mutex_);
        greeted_ = true;
        wake_.notify_all();
    }
    while (const std::optional<Request> request = next(*backend)) {
        serveOne(*backend, *request);
        if (backend->isLost())
            ::_exit(3); // guards would wait for a kernel that never ends; the answer says that a fresh worker is needed
    }
    if (end_ == End::atOnce) {
        backend->leave();
        std::fflush(nullptr);
        ::_exit(0);
    }
    const std::scoped_lock lock(mutex_);
    finished_ = true;
    wake_.notify_all();
}

void Worker::serveOne(Backend& backend, const Request& request)
{
    Job job;
    job.progress = [this](const Progress& progress) { report(progress); };
    job.partial = [this, id = request.id](const Json& body) { channel_.partial(id, body); };
    job.output = [this, id = request.id](std::string_view bytes, bool errors) { channel_.output(id, bytes, errors); };
    {
        const std::scoped_lock lock(mutex_);
        job.stop = stop_.get_token();
    }
    Timed whole(std::string("request ") + toWord(request.verb));
    const Result<Json> answer =
        request.verb == Verb::trace ? traceProgram(backend, request.body, job) : backend.answer(request.verb, request.body, job);
    {
        const std::scoped_lock lock(mutex_);
        running_.reset(); // no progress after the answer
    }
    whole.end();
    if (answer)
        channel_.result(request.id, *answer, backend.isLost(), takeTimings());
    else
        channel_.error(request.id, answer.error(), takeTimings());
}

void Worker::report(const Progress& progress)
{
    std::scoped_lock lock(mutex_);
    if (!running_)
        return;
    const int seq = last_.seq + 1;
    const bool sameStep = progress.step == last_.step;
    if (!sameStep) // one of a row of steps says since when the row goes on
        stepBegan_ = Clock::now() - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(progress.elapsed));
    last_ = progress;
    last_.seq = seq;
    last_.elapsed = std::chrono::duration<double>(Clock::now() - stepBegan_).count();
    channel_.progress(*running_, last_);
}

void Worker::beat()
{
    std::unique_lock lock(mutex_);
    while (!finished_) {
        wake_.wait_for(lock, kBeat);
        if (!running_ || finished_)
            continue;
        ++last_.seq;
        last_.elapsed = std::chrono::duration<double>(Clock::now() - stepBegan_).count();
        channel_.progress(*running_, last_);
    }
}

} // namespace kl::worker
