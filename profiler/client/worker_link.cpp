// SPDX-License-Identifier: MIT
#include "profiler/client/worker_link.h"

#include "core/base/try.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <utility>

namespace kl::inline client {
Result<WorkerLink> WorkerLink::start(const WorkerOptions& options)
{
    KL_ASSIGN(ChildProcess process, ChildProcess::start(options.program, options.arguments));
    return WorkerLink(std::move(process));
}

void WorkerLink::flush()
{
    while (!unsent_.empty()) {
        const std::ptrdiff_t taken = process_.write(std::string_view(unsent_).substr(sent_));
        sent_ += static_cast<std::size_t>(std::max<std::ptrdiff_t>(taken, 0));
        if (taken < 0 || sent_ == unsent_.size()) { // where it no longer reads, its output shows how it ended
            unsent_.clear();
            sent_ = 0;
        }
        if (taken <= 0)
            return;
    }
}

Status WorkerLink::splitLines()
{
    std::size_t start = 0;
    for (auto end = received_.find('\n', std::exchange(searched_, 0)); end != std::string::npos; end = received_.find('\n', start)) {
        const std::string_view line(received_.data() + start, end - start);
        start = end + 1;
        if (line.empty())
            continue;
        Result<WorkerEvent> event = parseWorkerEvent(line);
        if (!event) {
            received_.erase(0, start);
            return event.error();
        }
        events_.push_back(std::move(*event));
    }
    received_.erase(0, start);
    searched_ = received_.size();
    if (received_.size() > kMostLine)
        return Error{.code = ErrorCode::internal,
                     .message = "The worker sent a line without end.",
                     .hint = "Install the same version of KernelLoop for both.",
                     .where = "kloop-worker"};
    return {};
}

Result<WorkerLink::Wake> WorkerLink::wait(Clock::time_point until, int wakeFd)
{
    while (true) {
        if (!events_.empty())
            return Wake::event;
        if (!outputOpen_)
            return Wake::ended;
        flush();
        const auto left = std::max<long long>(0, std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count());
        pollfd fds[4] = {{process_.output(), POLLIN, 0},
                         {errorsOpen_ ? process_.errors() : -1, POLLIN, 0},
                         {wakeFd, POLLIN, 0},
                         {unsent_.empty() ? -1 : process_.input(), POLLOUT, 0}};
        // Half a second at most: a grandchild that holds the pipes open must not hide the worker's death.
        const int ready = ::poll(fds, 4, static_cast<int>(std::min<long long>(left, 500)));
        if (ready < 0 && errno != EINTR)
            return Error{.code = ErrorCode::internal, .message = "Waiting for the worker failed.", .where = "kloop-worker"};
        if (fds[1].revents != 0) {
            std::string text;
            errorsOpen_ = ChildProcess::drain(process_.errors(), text);
            tail_.append(text);
        }
        const bool dead = ready == 0 && process_.wait(std::chrono::milliseconds(0));
        if (fds[0].revents != 0 || dead) { // a dead one may have written since the poll
            outputOpen_ = ChildProcess::drain(process_.output(), received_) && !dead;
            KL_TRY(splitLines());
        }
        if (!events_.empty())
            return Wake::event;
        if (fds[2].revents != 0)
            return Wake::stopped;
        // Only now: the waiting process may itself have been stopped past the limit; then output from that time counts.
        if (left == 0 && outputOpen_)
            return Wake::timeout;
    }
}

WorkerEvent WorkerLink::take()
{
    WorkerEvent event = std::move(events_.front());
    events_.pop_front();
    return event;
}

const std::string& WorkerLink::errorTail()
{
    if (errorsOpen_) {
        std::string text;
        errorsOpen_ = ChildProcess::drain(process_.errors(), text);
        tail_.append(text);
    }
    return tail_.text();
}

} // namespace kl::inline client
