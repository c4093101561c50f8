// SPDX-License-Identifier: MIT
#pragma once

#include "app/worker/channel.h"
#include "profiler/live/backend/backend.h"
#include "profiler/remote/content_cache.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp> // a queued request holds a whole Json
#include <optional>
#include <stop_token>
#include <string>

namespace kl::worker {

/// The worker's threads: the caller's reads requests, one owns the GPU and serves them one at a time, one reports at least every
/// second while a request runs.
class Worker {
public:
    using MakeBackend = std::function<std::unique_ptr<Backend>()>;

    /// How the process ends. At once: what it holds on the GPU goes with it, which takes the driver less time than giving it back piece by
    /// piece. Orderly: for a tool that watches the worker and wants to see it end.
    enum class End { atOnce, orderly };

    /// `makeBackend` is called on the GPU's thread.
    Worker(Channel& channel, MakeBackend makeBackend, End end) : channel_(channel), makeBackend_(std::move(makeBackend)), end_(end) {}

    /// Says hello, then serves until the end of input or `shutdown`; requests received before the end of input are still answered.
    /// Does not return where it ends at once, exit status 0. Leaves the process at once, exit status 3, after an answer whose kernel broke
    /// the GPU context.
    void serve(int input);

private:
    using Clock = std::chrono::steady_clock;
    struct Request {
        int id = 0;
        Verb verb = Verb::probe;
        Json body;
    };

    void readRequests(int input);
    void accept(const std::string& line);
    Result<Json> listMissingContents(const Json& body) const;
    Result<Json> keepContent(const Json& body) const;
    void cancel(int id);
    void runGpu();
    void serveOne(Backend& backend, const Request& request);
    void beat();
    void report(const Progress& progress);
    std::optional<Request> next(Backend& backend);

    Channel& channel_;
    MakeBackend makeBackend_;
    End end_;
    ContentCache contents_; ///< of the reading thread

    std::mutex mutex_; ///< guards all below
    std::condition_variable wake_;
    std::deque<Request> queue_;
    bool greeted_ = false;
    bool inputEnded_ = false;
    bool finished_ = false;
    std::optional<int> running_; ///< id of the request being served
    std::stop_source stop_;
    Progress last_;
    Clock::time_point stepBegan_;
};

} // namespace kl::worker
