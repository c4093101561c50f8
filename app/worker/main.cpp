// SPDX-License-Identifier: MIT
#include "app/worker/channel.h"
#include "app/worker/worker.h"

#ifdef KL_HAVE_LIVE
#include "profiler/live/live_backend.h"
#endif

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace {

std::unique_ptr<kl::Backend> makeBackend()
{
#ifdef KL_HAVE_LIVE
    return kl::makeLiveBackend(KL_VERSION);
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

} // namespace

int main(int argc, char** argv)
{
    const bool orderly = argc == 2 && std::strcmp(argv[1], "--orderly-end") == 0;
    if (argc > 1 && !orderly) {
        const bool version = std::strcmp(argv[1], "--version") == 0;
        std::fputs(version ? "kloop-worker " KL_VERSION "\n"
                           : "kloop-worker answers KernelLoop's requests, one JSON object a line on standard input.\n"
                             "It is started by kernelloop and kloop; docs/dev/protocol.md describes the protocol.\n",
                   version ? stdout : stderr);
        return version ? 0 : 2;
    }
    // Device printf and libraries write to standard output: the protocol keeps a descriptor of its own.
    const int protocol = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (protocol < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        std::perror("kloop-worker: standard output");
        return 6;
    }
    std::signal(SIGPIPE, SIG_IGN);
    kl::Channel channel(protocol);
    kl::Worker worker(channel, makeBackend, orderly || isWatched() ? kl::Worker::End::orderly : kl::Worker::End::atOnce);
    worker.serve(STDIN_FILENO);
    return 0;
}
