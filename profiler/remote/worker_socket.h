// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/process/fd.h"

#include <filesystem>
#include <string>

namespace kl::inline remote {

// A worker that outlives its connections is reached through a UNIX socket in /tmp/kernelloop-UID, a folder that its user alone may enter:
// nothing listens on the network. /tmp, since a home folder may be shared by several hosts, and $XDG_RUNTIME_DIR goes when the last
// connection ends. Errors environment: the folder is not the user's alone, or the system's reason.

/// Whether a text can name a worker: lower-case letters, digits and hyphens, 64 at most.
bool isWorkerName(const std::string& name);

/// The socket of the worker of that name, whether or not it is there.
Result<std::filesystem::path> workerSocket(const std::string& name);

/// A new socket there, which listens.
Result<Fd> listenForClients(const std::filesystem::path& socket);

/// Connected to the worker that listens there. Error notFound: none does.
Result<Fd> connectToWorker(const std::filesystem::path& socket);

/// The next client of a listening socket; empty where none waits.
Fd acceptClient(const Fd& listener);

} // namespace kl::inline remote
