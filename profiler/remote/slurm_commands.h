// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline remote {

// What is given to Slurm's own programs, and what they answer. None of it passes through a shell.

/// "slurm:": the name of a partition behind it is the name of a host.
inline constexpr std::string_view kSlurm = "slurm:";

/// Whether a text can be a partition, or several as sbatch takes them: letters, digits and . _ - only.
bool isPartition(std::string_view text);

/// Whether "name=value", or "name" alone, can be an option of sbatch's that a user may choose. Those about the script, its input and output
/// and the array belong to KernelLoop.
bool isSbatchOption(std::string_view text);

/// What is asked of Slurm.
struct SlurmOrder {
    std::string partition;
    std::vector<std::string> options;   ///< of sbatch, as isSbatchOption() takes them
    int workers = 1;                    ///< tasks of a job array, each with a worker; 1: a plain job
    std::filesystem::path worker;       ///< kloop-worker, as the nodes see it
    std::vector<std::string> arguments; ///< of the worker
};

/// Runs a worker between connections, inside a job: $1: the beginning of its name, which ends with the job's ID; $2: the worker; then its
/// arguments. The worker on PATH where $2 is none on the node.
extern const std::string_view kJobScript;

/// The program sbatch with its arguments. `script`: a file with kJobScript; `name`: its $1; `log`: where its output goes.
std::vector<std::string> sbatchCommand(const SlurmOrder& order, const std::filesystem::path& script, const std::string& name,
                                       const std::filesystem::path& log);

/// The ID in what sbatch --parsable prints, "12" or "12;cluster". Error environment.
Result<std::string> parseSubmittedJob(const std::string& printed);

/// A program as a further step of a running job, with its standard input and output as ours: on the job's GPUs, or on none.
std::vector<std::string> stepCommand(const std::string& job, bool onGpus, const std::filesystem::path& worker,
                                     const std::vector<std::string>& arguments);

/// What a job, or a task of a job array, is doing. Slurm's words are many.
enum class SlurmPhase {
    waiting, ///< in the queue, for the first time or again
    running,
    ending, ///< its processes are being ended: what comes next is not known yet
    ended,
};

struct SlurmTask {
    std::string id;     ///< of its own; of a task that waits perhaps the array's
    int index = 0;      ///< in the array
    std::string state;  ///< Slurm's word: "RUNNING"
    std::string reason; ///< of its state: "Resources"
    std::string node;   ///< empty while it waits
    std::string start;  ///< local time, when it began or is expected to; empty where that is unknown
    std::chrono::seconds ran{0};

    SlurmPhase phase() const;
    bool operator==(const SlurmTask&) const = default;
};

std::vector<std::string> squeueCommand(const std::string& job);
/// What squeueCommand() prints. Lines of another form are left out.
std::vector<SlurmTask> readTasks(std::string_view printed);

/// `task` in the array; −1: all of it.
std::vector<std::string> scancelCommand(const std::string& job, int task = -1);

/// The hint of an error whose cause is that a program of Slurm's cannot be used.
inline constexpr const char* kUseSlurm = "Run KernelLoop on a machine of the cluster where sbatch, squeue and srun work.";

} // namespace kl::inline remote
