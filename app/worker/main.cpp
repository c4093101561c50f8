// SPDX-License-Identifier: MIT
#include "app/worker/channel.h"
#include "app/worker/replay_backend.h"
#include "app/worker/roles.h"
#include "app/worker/worker.h"

#ifdef KL_HAVE_LIVE
#include "profiler/live/live_backend.h"
#endif

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

std::unique_ptr<kl::Backend> makeBackend(const kl::worker::WorkerArguments& arguments)
{
    if (!arguments.replay.empty())
        return kl::worker::makeReplayBackend(KL_VERSION, arguments.replay);
#ifdef KL_HAVE_LIVE
    return kl::makeLiveBackend(KL_VERSION, arguments.gpu);
#else
    return kl::makeUnavailableBackend(KL_VERSION, "This KernelLoop was built without the CUDA toolkit, so it cannot measure.",
                                      "Install the CUDA toolkit 12.6 or newer from NVIDIA's repository and build again.");
#endif
}

/// A profiler that was put into this process writes its report when that ends.
bool isWatched()
{
    for (const char* name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "LD_PRELOAD"})
        if (const char* value = std::getenv(name); value && *value)
            return true;
    return false;
}

int printAbout(bool version)
{
    std::fputs(version ? "kloop-worker " KL_VERSION "\n"
                       : "kloop-worker answers KernelLoop's requests, one JSON object per line on standard input.\n"
                         "It is started by kernelloop and kloop; see docs/dev/protocol.md for the protocol.\n",
               version ? stdout : stderr);
    return version ? 0 : 2;
}

int serve(const kl::worker::WorkerArguments& arguments, int protocol)
{
    kl::worker::Channel channel(protocol);
    const auto end = arguments.orderly || isWatched() ? kl::worker::Worker::End::orderly : kl::worker::Worker::End::atOnce;
    kl::worker::Worker worker(
        channel, [&arguments] { return makeBackend(arguments); }, end);
    worker.serve(STDIN_FILENO);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const bool version = argc == 2 && std::string_view(argv[1]) == "--version";
    const std::optional<kl::worker::WorkerArguments> arguments = kl::worker::readWorkerArguments(argc, argv);
    if (version || !arguments)
        return printAbout(version);
    std::signal(SIGPIPE, SIG_IGN);
    using Role = kl::worker::WorkerArguments::Role;
    if (arguments->role == Role::attach)
        return kl::worker::attachUnderSsh(*arguments);
    if (arguments->role == Role::supervise)
        return kl::worker::superviseWorker(*arguments);
    // Device printf and libraries write to standard output: the protocol keeps a descriptor of its own.
    const int protocol = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (protocol < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        std::perror("kloop-worker: standard output");
        return 6;
    }
    return arguments->role == Role::relay ? kl::worker::relayTo(*arguments, kl::Fd(protocol)) : serve(*arguments, protocol);
}
