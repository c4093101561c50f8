// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/leftovers.h"
#include "profiler/remote/slurm_commands.h"

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>

namespace kl::inline remote {

/// A job, or a job array, that belongs to this program: it is canceled with the object. Safe to use from several threads.
class SlurmJob {
public:
    using Clock = std::chrono::steady_clock;

    /// Submits it. Errors environment: Slurm's programs are not here, or what sbatch said.
    static Result<std::shared_ptr<SlurmJob>> submit(const SlurmOrder& order);

    SlurmJob(const SlurmJob&) = delete;
    SlurmJob& operator=(const SlurmJob&) = delete;
    ~SlurmJob();

    const std::string& id() const noexcept { return id_; }
    /// What names of its workers begin with.
    const std::string& name() const noexcept { return name_; }
    /// "12" of a plain job, "12_3" of a task.
    std::string idOf(int index) const;

    /// What squeue says of a task, a second ago at most. Error environment: squeue has not answered for five minutes, or knows of no such
    /// job any more.
    Result<SlurmTask> task(int index);

    /// Ends a task before its time. What it did not do stays undone.
    void cancel(int index);

    /// For how long a task ran until now, all of its runs together.
    std::chrono::seconds timeHeld(int index);

    /// What the job wrote outside of any conversation: why it could not start, and Slurm's own words.
    std::string log(const SlurmTask& task) const;

private:
    SlurmJob(std::string id, std::string name, std::filesystem::path logs, bool isArray);
    Status refresh(Clock::duration fresh);

    const std::string id_;
    const std::string name_;
    const std::filesystem::path logs_; ///< folder
    const bool isArray_;
    std::mutex mutex_;
    std::map<int, SlurmTask> tasks_;
    std::map<int, std::chrono::seconds> before_; ///< of runs that a requeue ended
    Clock::time_point asked_;
    Clock::time_point answered_ = Clock::now();
};

} // namespace kl::inline remote
