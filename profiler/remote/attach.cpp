// SPDX-License-Identifier: MIT
#include "profiler/remote/attach.h"

#include "core/base/try.h"
#include "core/process/process.h"
#include "profiler/remote/worker_socket.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace kl::inline remote {
namespace {

constexpr const char* kMark = "kloop-attach/1";
constexpr std::array<const char*, 4> kStates{"ready", "gone", "missing", "failed"}; // in the enumeration's order
constexpr std::size_t kMostPending = std::size_t{1} << 20;
constexpr int kFirstWords = 10000; ///< ms for a supervisor to start
constexpr int kMostStarts = 3;

/// One direction of the connection.
class Flow {
public:
    Flow(int from, int to) : from_(from), to_(to) {}

    short wantsRead() const { return pending_.size() < kMostPending ? POLLIN : 0; }
    short wantsWrite() const { return pending_.empty() ? 0 : POLLOUT; }

    /// False once the end of `from` was read.
    bool read()
    {
        char chunk[65536];
        const ssize_t got = ::read(from_, chunk, sizeof chunk);
        if (got > 0)
            pending_.append(chunk, static_cast<std::size_t>(got));
        return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
    }

    /// False once nobody reads `to`.
    bool write()
    {
        const ssize_t taken = pending_.empty() ? 0 : ::write(to_, pending_.data(), pending_.size());
        if (taken > 0)
            pending_.erase(0, static_cast<std::size_t>(taken));
        return taken >= 0 || errno == EINTR || errno == EAGAIN;
    }

    bool empty() const { return pending_.empty(); }

private:
    int from_;
    int to_;
    std::string pending_;
};

void doNotBlock(int descriptor)
{
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

/// Until either side ends; what the worker has written by then is still passed on.
void passOn(const Fd& worker)
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, worker.get()})
        doNotBlock(descriptor);
    Flow toWorker(STDIN_FILENO, worker.get());
    Flow fromWorker(worker.get(), STDOUT_FILENO);
    bool clientOpen = true;
    bool workerOpen = true;
    while (clientOpen && (workerOpen || !fromWorker.empty())) {
        std::array<pollfd, 3> waiting{
            {{STDIN_FILENO, toWorker.wantsRead(), 0},
             {workerOpen ? worker.get() : -1, static_cast<short>(fromWorker.wantsRead() | toWorker.wantsWrite()), 0},
             {STDOUT_FILENO, fromWorker.wantsWrite(), 0}}};
        if (::poll(waiting.data(), waiting.size(), -1) < 0)
            continue;
        if (waiting[0].revents != 0)
            clientOpen = toWorker.read();
        if ((waiting[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
            workerOpen = fromWorker.read();
        if (workerOpen && !toWorker.write())
            workerOpen = false;
        if (!fromWorker.write() || (waiting[2].revents & (POLLERR | POLLHUP)) != 0)
            clientOpen = false;
    }
}

/// The supervisor gets a session of its own, so that it outlives the connection.
Status startSupervisor(const AttachOptions& options, const Fd& listener)
{
    ProcessOptions process{.arguments = options.program, .group = ProcessGroup::session, .input = StandardStream::to(listener.get())};
    std::error_code failure;
    Process started = Process::start(process, failure);
    started.release();
    if (failure)
        return Error{.code = ErrorCode::environment, .message = failure.message(), .where = options.program.front()};
    return {};
}

bool isGone(const Result<Fd>& worker)
{
    return !worker && worker.error().code == ErrorCode::notFound;
}

Result<Fd> connectOrStart(const AttachOptions& options, const std::filesystem::path& socket)
{
    Result<Fd> running = connectToWorker(socket);
    if (!isGone(running) || !options.start)
        return running;       // with one to be started: a connection that started it was cut before it was of use
    ::unlink(socket.c_str()); // such a connection may have been cut before anybody listened
    KL_ASSIGN(const Fd listener, listenForClients(socket)); // ours is closed at the end of this: then only the supervisor listens
    KL_TRY(startSupervisor(options, listener));
    return connectToWorker(socket);
}

/// Whether the supervisor speaks, which it does first: a process that was killed before it became one does not.
bool speaks(const Fd& worker)
{
    pollfd waiting{worker.get(), POLLIN, 0};
    char first = 0;
    return ::poll(&waiting, 1, kFirstWords) > 0 && ::recv(worker.get(), &first, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

Result<Fd> connect(const AttachOptions& options)
{
    KL_ASSIGN(const std::filesystem::path socket, workerSocket(options.name));
    for (int attempt = 1;; ++attempt) {
        Result<Fd> worker = connectOrStart(options, socket);
        if (worker && speaks(*worker))
            return worker;
        if ((!worker && !isGone(worker)) || !options.start || attempt == kMostStarts) {
            if (!worker)
                return worker.error();
            return Error{.code = ErrorCode::notFound, .message = "It does not answer.", .where = socket.string()};
        }
    }
}

void print(const std::string& text)
{
    [[maybe_unused]] const ssize_t wrote = ::write(STDOUT_FILENO, text.data(), text.size()); // who reads it sees the end otherwise
}

} // namespace

std::string attachMark(const std::string& name)
{
    return fmt::format("{} {}", kMark, name);
}

std::optional<AttachLine> findAttachLine(std::string_view printed, const std::string& name)
{
    const std::string mark = attachMark(name) + ' ';
    const std::size_t begin = printed.find(mark);
    const std::size_t end = begin == std::string_view::npos ? begin : printed.find('\n', begin);
    if (end == std::string_view::npos)
        return {};
    const std::string_view rest = printed.substr(begin + mark.size(), end - begin - mark.size());
    const std::size_t space = std::min(rest.find(' '), rest.size());
    const auto state = std::find(kStates.begin(), kStates.end(), rest.substr(0, space));
    if (state == kStates.end())
        return AttachLine{AttachState::failed, std::string(rest), end + 1};
    return AttachLine{static_cast<AttachState>(state - kStates.begin()), std::string(rest.substr(std::min(space + 1, rest.size()))),
                      end + 1};
}

int attachToWorker(const AttachOptions& options)
{
    const Result<Fd> worker = connect(options);
    // A line of its own, whatever a shell's files printed before.
    print(fmt::format("\n{} {}\n", attachMark(options.name),
                      worker           ? "ready"
                      : isGone(worker) ? "gone"
                                       : fmt::format("failed {} ({})", worker.error().message, worker.error().where)));
    if (!worker)
        return exitCode(worker.error().code);
    passOn(*worker);
    return 0;
}

} // namespace kl::inline remote
