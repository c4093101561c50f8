// SPDX-License-Identifier: MIT
#include "app/worker/channel.h"
#include "app/worker/worker.h"

#ifdef KL_HAVE_LIVE
#include "profiler/live/live_backend.h"
#endif

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

std::unique_ptr<kl::Backend> makeBackend([[maybe_unused]] const std::string& gpu)
{
#ifdef KL_HAVE_LIVE
    return kl::makeLiveBackend(KL_VERSION, gpu);
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

} // namespace

int main(int argc, char** argv)
{
    bool orderly = false;
    std::string gpu; // as chooseGpu takes it
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--orderly-end") {
            orderly = true;
        } else if (word == "--device" && i + 1 < argc) {
            gpu = argv[++i];
        } else {
            return printAbout(word == "--version");
        }
    }
    // Device printf and libraries write to standard output: the protocol keeps a descriptor of its own.
    const int protocol = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (protocol < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        std::perror("kloop-worker: standard output");
        return 6;
    }
    std::signal(SIGPIPE, SIG_IGN);
    kl::Channel channel(protocol);
    kl::Worker worker(
        channel, [&gpu] { return makeBackend(gpu); }, orderly || isWatched() ? kl::Worker::End::orderly : kl::Worker::End::atOnce);
    worker.serve(STDIN_FILENO);
    return 0;
}
