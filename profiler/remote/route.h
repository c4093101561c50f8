// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/process/process.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline remote {

/// How a relay reaches the supervisor of its worker: the program that connects, and what it means when that fails.
class Route {
public:
    virtual ~Route() = default;

    /// The host, as errors and progress name it.
    virtual const std::string& host() const = 0;
    /// Of the worker (isWorkerName).
    virtual const std::string& name() const = 0;
    /// Whether the worker is started by something else than a connection and may take a moment to listen.
    virtual bool startsByItself() const = 0;

    /// The program whose standard input and output are the connection. `again`: the worker was reached before.
    virtual Result<std::vector<std::string>> command(bool again) const = 0;

    /// A connection that ended before it reached the worker for the first time, with the program's last words: why there will be none;
    /// unset: another attempt may do better.
    virtual std::optional<Error> findRefusal(const std::optional<ProcessEnd>& end, const std::string& words) const = 0;

    /// A connection that was lost: why there will not be another one; unset: it may come back.
    virtual std::optional<Error> findEnd() const = 0;
};

/// Over the user's own ssh. `key`: of the copied worker to prefer; `arguments`: of the worker there.
std::unique_ptr<Route> routeOverSsh(const std::string& host, const std::string& key, std::vector<std::string> arguments);

struct SlurmPlace {
    std::string host;   ///< "slurm:PARTITION"
    std::string job;    ///< ID of the running job
    std::string name;   ///< of the worker there
    std::string worker; ///< kloop-worker, as the nodes see it
};

/// By a step inside a running job of Slurm's, which supervises the worker.
std::unique_ptr<Route> routeIntoJob(const SlurmPlace& place);

} // namespace kl::inline remote
