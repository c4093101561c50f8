// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace kl::worker {

/// What kloop-worker is to do, as its command line says.
struct WorkerArguments {
    /// Serve requests; be the client's end of a connection to another host; be its other end; keep a worker running between connections.
    enum class Role { serve, relay, attach, supervise };
    Role role = Role::serve;
    std::string gpu;                  ///< as chooseGpu takes it
    bool orderly = false;             ///< releases everything before it ends
    std::string replay;               ///< a capture, or a folder of them, to answer from in the place of a GPU; empty: none
    std::string host;                 ///< of the relay, as ssh takes it or "slurm:PARTITION"
    std::string job;                  ///< of Slurm's, which the relay reaches into
    std::string worker;               ///< there
    std::string key;                  ///< of the copied worker that the relay prefers
    std::string name;                 ///< of the worker to attach to, to supervise, or of the relay in a job
    bool listen = false;              ///< supervises without being given a socket
    bool start = false;               ///< the worker that it attaches to
    std::chrono::seconds idle{600};   ///< without a connection, until a supervised worker is killed
    std::chrono::seconds giveUp{300}; ///< without a connection, until the relay does

    /// The arguments with which a further worker serves as this one would.
    std::vector<std::string> makeServingArguments() const;
};

/// Unset for arguments that it does not take.
std::optional<WorkerArguments> readWorkerArguments(int argc, char** argv);

} // namespace kl::worker
