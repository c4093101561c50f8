// SPDX-License-Identifier: MIT
#pragma once

#include "app/worker/worker_arguments.h"
#include "core/process/fd.h"

namespace kl::worker {

// The roles of kloop-worker besides serving requests, each with the exit status of the process.

/// The client's end of a connection to a worker on another host. Events go to `output`.
int relayTo(const WorkerArguments& arguments, Fd output);

/// The other end, under ssh.
int attachUnderSsh(const WorkerArguments& arguments);

/// Keeps a worker running between connections. Its standard input is the socket that they come through.
int superviseWorker(const WorkerArguments& arguments);

} // namespace kl::worker
