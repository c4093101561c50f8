// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <string>

namespace kl::inline remote {

// Errors about the host of a worker. The relay writes them as events of the protocol, and what opens devices acts on them: they are known
// by Error::where, which crosses that line.

/// The host cannot be reached, or the worker there is gone with all that it held: it was preempted or restarted. `why` is a sentence.
Error makeHostLostError(const std::string& host, const std::string& why, const std::string& hint);
bool isHostLost(const Error& error);

/// There is no kloop-worker that this program can use. `system` is what uname -sm prints there, empty where that is unknown; it becomes the
/// detail.
Error makeWorkerMissingError(const std::string& host, const std::string& why, const std::string& system);
bool isWorkerMissing(const Error& error);

} // namespace kl::inline remote
