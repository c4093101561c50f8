// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_command.h"
#include "profiler/collector.h"

#include <filesystem>
#include <string>

namespace kl::inline client {
class Consent;
}

namespace kl::inline remote {

/// Identifies a worker: the SHA-256 of its file. Error environment: it cannot be read.
Result<std::string> workerKey(const std::filesystem::path& worker);

/// What the user is asked before a worker is copied to a host, remembered for this host and this worker. `why`: a sentence.
FileCommand copyCommand(const std::string& host, const std::filesystem::path& worker, const std::string& key, const std::string& why);

/// Copies a worker of this host, with the libraries that it loads but the C library, to ~/.cache/kernelloop/workers/KEY of another one,
/// where kAttachScript finds it. `unusable`: why the host has no worker that can be used, perhaps makeWorkerMissingError(). Errors:
/// needsConsent; environment: another kind of machine, or what the host says.
Status copyWorker(const std::string& host, const std::filesystem::path& worker, const std::string& key, const Error& unusable,
                  Consent* consent, const Job& job);

} // namespace kl::inline remote
