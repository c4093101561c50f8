// SPDX-License-Identifier: MIT
#include "app/worker/roles.h"

#include "core/base/error.h"
#include "profiler/remote/attach.h"
#include "profiler/remote/relay.h"
#include "profiler/remote/supervisor.h"
#include "profiler/remote/worker_socket.h"

#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace kl::worker {
namespace {

/// This program, for a further process.
std::string ourselves()
{
    std::error_code failed;
    return std::filesystem::read_symlink("/proc/self/exe", failed).string();
}

} // namespace

int relayTo(const WorkerArguments& arguments, Fd output)
{
    RelayOptions options{.host = arguments.host, .key = arguments.key.empty() ? "none" : arguments.key, .giveUp = arguments.giveUp};
    options.arguments = arguments.serving();
    return Relay(std::move(options), std::move(output)).run();
}

int attachUnderSsh(const WorkerArguments& arguments)
{
    if (!isWorkerName(arguments.name))
        return exitCode(ErrorCode::usage);
    AttachOptions options{.name = arguments.name, .start = arguments.start};
    options.program = {ourselves(), "--supervise", arguments.name, "--idle", std::to_string(arguments.idle.count())};
    const std::vector<std::string> serving = arguments.serving();
    options.program.insert(options.program.end(), serving.begin(), serving.end());
    return attachToWorker(options);
}

int superviseWorker(const WorkerArguments& arguments)
{
    const Result<std::filesystem::path> socket = isWorkerName(arguments.name) ? workerSocket(arguments.name) : Error{};
    Fd listener(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (!socket || !listener)
        return exitCode(ErrorCode::usage);
    Result<ChildProcess> worker = ChildProcess::start(ourselves(), arguments.serving());
    if (worker)
        Supervisor(std::move(*worker), std::move(listener), arguments.idle).run();
    ::unlink(socket->c_str());
    return worker ? 0 : exitCode(worker.error().code);
}

} // namespace kl::worker
