// SPDX-License-Identifier: MIT
#include "app/worker/roles.h"

#include "core/base/error.h"
#include "profiler/client/worker_client.h"
#include "profiler/remote/attach.h"
#include "profiler/remote/relay.h"
#include "profiler/remote/supervisor.h"
#include "profiler/remote/worker_socket.h"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <unistd.h>

namespace kl::worker {
namespace {

/// This program, for a further process.
std::string ourselves()
{
    std::error_code failed;
    return std::filesystem::read_symlink("/proc/self/exe", failed).string();
}

/// Of a job that was killed and starts again on the same host, a socket is left that nobody listens to.
Result<Fd> listenAnew(const std::filesystem::path& socket)
{
    if (const Result<Fd> other = connectToWorker(socket); !other && other.error().code == ErrorCode::notFound)
        ::unlink(socket.c_str());
    return listenForClients(socket);
}

/// As /proc/PID/stat has it, behind the name of the program; −1 where the process is gone.
pid_t readProcessSession(const std::filesystem::path& process)
{
    std::ifstream in(process / "stat");
    std::string text;
    std::getline(in, text, '\0'); // an iterator would throw of a process that ends just now
    const std::size_t name = text.rfind(") ");
    std::istringstream rest(name == std::string::npos ? std::string() : text.substr(name + 2));
    std::string state;
    pid_t parent = -1, group = -1, session = -1;
    return rest >> state >> parent >> group >> session ? session : -1;
}

/// Kills what the worker left in the session that is ours alone: programs that it ran have process groups of their own.
void killSession()
{
    if (::getsid(0) != ::getpid())
        return;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
        const std::string name = entry.path().filename().string();
        pid_t process = 0;
        const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (problem == std::errc() && end == name.data() + name.size() && process != ::getpid() &&
            readProcessSession(entry.path()) == ::getpid())
            ::kill(process, SIGKILL);
    }
}

} // namespace

int relayTo(const WorkerArguments& arguments, Fd output)
{
    std::unique_ptr<Route> route = arguments.job.empty() ? routeOverSsh(arguments.host, arguments.key.empty() ? "none" : arguments.key,
                                                                        arguments.makeServingArguments())
                                                         : routeIntoJob({arguments.host, arguments.job, arguments.name, arguments.worker});
    return Relay(std::move(route), {.giveUp = arguments.giveUp}, std::move(output)).run();
}

int attachUnderSsh(const WorkerArguments& arguments)
{
    if (!isWorkerName(arguments.name))
        return exitCode(ErrorCode::usage);
    AttachOptions options{.name = arguments.name, .start = arguments.start};
    options.program = {ourselves(), "--supervise", arguments.name, "--idle", std::to_string(arguments.idle.count())};
    const std::vector<std::string> serving = arguments.makeServingArguments();
    options.program.insert(options.program.end(), serving.begin(), serving.end());
    return attachToWorker(options);
}

int superviseWorker(const WorkerArguments& arguments)
{
    const Result<std::filesystem::path> socket = isWorkerName(arguments.name) ? workerSocket(arguments.name) : Error{};
    Result<Fd> listener = !socket            ? Result<Fd>(socket.error())
                          : arguments.listen ? listenAnew(*socket)
                                             : Fd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (!listener && socket)
        std::fprintf(stderr, "kloop-worker: %s (%s)\n", listener.error().message.c_str(), listener.error().where.c_str());
    if (!listener || !*listener)
        return exitCode(ErrorCode::usage);
    Result<ChildProcess> worker = ChildProcess::start(workerProgram({}), arguments.makeServingArguments());
    if (worker)
        Supervisor(std::move(*worker), std::move(*listener), arguments.idle).run();
    killSession();
    ::unlink(socket->c_str());
    return worker ? 0 : exitCode(worker.error().code);
}

} // namespace kl::worker
