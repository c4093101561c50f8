// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/last_act.h"
#include "profiler/remote/slurm_commands.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>

namespace kl::inline remote {

/// A job, or a job array, that belongs to this program: it is canceled with the object, and where the program is stopped. Safe to use from
/// several threads.
class SlurmJob {
public:
    using Clock = std::chrono::steady_clock;

    /// Gets the time for which the job ran, all of its tasks together, once: when it is canceled.
    using Held = std::function<void(std::chrono::seconds)>;

    /// Submits it. Errors environment: Slurm's programs are not here, or what sbatch said.
    static Result<std::shared_ptr<SlurmJob>> submit(const SlurmOrder& order, Held held);

    SlurmJob(const SlurmJob&) = delete;
    SlurmJob& operator=(const SlurmJob&) = delete;
    ~SlurmJob();

    const std::string& id() const noexcept { return id_; }
    /// What names of its workers begin with.
    const std::string& name() const noexcept { return name_; }
    /// "12" of a plain job, "12_3" of a task.
    std::string formatTaskId(int index) const;

    /// What squeue says of a task, a second ago at most. Error environment: squeue has not answered for five minutes, or knows of no such
    /// job any more.
    Result<SlurmTask> task(int index);

    /// Ends a task of an array before its time; the others work on. A plain job ends with this object.
    void cancel(int index);

    /// What the job wrote outside of any conversation: why it could not start, and Slurm's own words.
    std::string log(const SlurmTask& task) const;

private:
    struct Seen {
        SlurmTask task;
        Clock::time_point at;
        std::chrono::seconds before{0}; ///< of runs that a requeue ended
    };

    SlurmJob(std::string id, std::string name, std::filesystem::path logs, bool isArray, Held held);
    Status refresh();
    void note(const SlurmTask& task, Clock::time_point at);
    std::chrono::seconds computeTimeHeld();
    std::string end();

    const std::string id_;
    const std::string name_;
    const std::filesystem::path logs_; ///< folder
    const bool isArray_;
    std::mutex asking_; ///< squeue: it takes a while, and what is known is used meanwhile
    Clock::time_point requested_;
    Clock::time_point answered_ = Clock::now();
    std::mutex mutex_; ///< of what follows
    std::map<int, Seen> tasks_;
    Held held_; ///< empty once it was called
    const LastAct lastAct_{[this] { return end(); }};
};

} // namespace kl::inline remote
