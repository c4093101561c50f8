// SPDX-License-Identifier: MIT
#include "profiler/remote/slurm_job.h"

#include "core/base/file_cache.h"
#include "core/base/ids.h"
#include "core/base/leftovers.h"
#include "core/base/scratch_folder.h"
#include "core/base/trimmed.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/process/run_to_end.h"
#include "profiler/remote/last_line.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <utility>

namespace kl::inline remote {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr double kSubmitSeconds = 60;
constexpr double kQuerySeconds = 20;
constexpr double kCancelSeconds = 10;
constexpr seconds kFresh{1};     ///< an answer of squeue's, which is not asked more often
constexpr seconds kSilence{300}; ///< of squeue: its controller may be restarted meanwhile
constexpr std::size_t kMostLog = 8192;

Error makeSlurmError(const std::string& program, const std::string& why, const std::string& detail)
{
    return {.code = ErrorCode::environment,
            .message = fmt::format("{} failed{}.", program, why.empty() ? why : ": " + why),
            .hint = kUseSlurm,
            .where = program,
            .detail = detail};
}

/// "sbatch: error: Invalid account" without the program's name.
std::string withoutName(const std::string& line, const std::string& program)
{
    const std::string begin = program + ": error: ";
    return line.starts_with(begin) ? line.substr(begin.size()) : line;
}

Error unknownJob(const std::string& id)
{
    return makeSlurmError("squeue", fmt::format("it does not know job {}", id), {});
}

/// One of Slurm's programs.
Result<std::string> askSlurm(std::vector<std::string> command, double limit, bool errorsToo)
{
    const std::string program = command.front();
    std::error_code failure;
    const CompletedRun run = runToEnd({.arguments = std::move(command)}, limit, {.errors = errorsToo}, failure);
    if (failure)
        return makeSlurmError(program, failure.message(), {});
    if (run.timedOut)
        return makeSlurmError(program, fmt::format("no answer within {:.0f} s", limit), run.output);
    if (run.end.status != 0)
        return makeSlurmError(program, withoutName(lastLine(run.output), program), run.output);
    return run.output;
}

/// For how long a task ran, as known `at` a moment, until `now`.
seconds ranUntil(const SlurmTask& task, SlurmJob::Clock::time_point at, SlurmJob::Clock::time_point now)
{
    return task.ran + (task.phase() == SlurmPhase::running ? std::chrono::duration_cast<seconds>(now - at) : seconds{0});
}

/// Below the user's cache, which the nodes usually share; /tmp otherwise.
Result<fs::path> logFolder()
{
    fs::path folder = FileCache::locateFolder("slurm");
    if (folder.empty())
        folder = "/tmp";
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure)
        return Error{.code = ErrorCode::environment,
                     .message = "The folder of the jobs' logs cannot be made: " + failure.message() + '.',
                     .hint = "Make the folder writable, or set XDG_CACHE_HOME.",
                     .where = folder.string()};
    return folder;
}

} // namespace

Result<std::shared_ptr<SlurmJob>> SlurmJob::submit(const SlurmOrder& order, Held held)
{
    const Finishing finishing; // before its ID is known, nothing can cancel it
    const std::string name = newUuid();
    KL_ASSIGN(const fs::path logs, logFolder());
    KL_ASSIGN(const ScratchFolder folder, ScratchFolder::make()); // sbatch reads the script before it answers
    const fs::path script = folder.path() / "job.sh";
    KL_TRY(writeFile(script, kJobScript));
    KL_ASSIGN(const std::string printed,
              askSlurm(sbatchCommand(order, script, name, logs / fmt::format("{}-%j.log", name)), kSubmitSeconds, true));
    // Behind what a site's plugins may print first.
    KL_ASSIGN(const std::string id, parseSubmittedJob(lastLine(printed)));
    return std::shared_ptr<SlurmJob>(new SlurmJob(id, name, logs, order.workers > 1, std::move(held)));
}

SlurmJob::SlurmJob(std::string id, std::string name, fs::path logs, bool isArray, Held held)
    : id_(std::move(id)), name_(std::move(name)), logs_(std::move(logs)), isArray_(isArray), held_(std::move(held))
{
}

SlurmJob::~SlurmJob()
{
    requested_ = {};
    static_cast<void>(refresh()); // what it says of the time is exact
    static_cast<void>(end());
    std::error_code ignored;
    for (const auto& [index, seen] : tasks_)
        fs::remove(logs_ / fmt::format("{}-{}.log", name_, seen.task.id), ignored);
}

/// Cancels all of it. What to tell the user where that failed.
std::string SlurmJob::end()
{
    const Result<std::string> canceled = askSlurm(scancelCommand(id_), kCancelSeconds, true);
    Held held;
    {
        const std::scoped_lock lock(mutex_);
        held = std::exchange(held_, {});
    }
    if (held)
        held(computeTimeHeld());
    return canceled ? std::string() : fmt::format("Slurm job {0} may still run: {1} Cancel it: scancel {0}", id_, canceled.error().message);
}

std::string SlurmJob::formatTaskId(int index) const
{
    return isArray_ ? fmt::format("{}_{}", id_, index) : id_;
}

/// Unless that was asked a moment ago.
Status SlurmJob::refresh()
{
    const std::scoped_lock asking(asking_);
    const auto now = Clock::now();
    const auto known = [this] {
        const std::scoped_lock lock(mutex_);
        return !tasks_.empty();
    }();
    if (known && now < requested_ + kFresh)
        return {};
    requested_ = now;
    const Result<std::string> printed = askSlurm(squeueCommand(id_), kQuerySeconds, false);
    const std::vector<SlurmTask> all = printed ? readTasks(*printed) : std::vector<SlurmTask>();
    if (all.empty()) {
        if (known && now < answered_ + kSilence)
            return {};
        return printed ? unknownJob(id_) : printed.error();
    }
    answered_ = now;
    const std::scoped_lock lock(mutex_);
    for (const SlurmTask& task : all)
        note(task, now);
    return {};
}

void SlurmJob::note(const SlurmTask& task, Clock::time_point at)
{
    Seen& seen = tasks_[task.index];
    const SlurmTask& last = seen.task;
    const bool isQueuedAgain = task.phase() == SlurmPhase::waiting && task.ran == seconds{0};
    const bool isLaterRun = task.ran < last.ran || (task.phase() == SlurmPhase::running && task.start != last.start);
    if ((last.phase() == SlurmPhase::running || last.phase() == SlurmPhase::ending) && (isQueuedAgain || isLaterRun))
        seen.before += ranUntil(last, seen.at, at);
    seen.task = task;
    seen.at = at;
}

Result<SlurmTask> SlurmJob::task(int index)
{
    KL_TRY(refresh());
    const std::scoped_lock lock(mutex_);
    const auto found = tasks_.find(index);
    if (found == tasks_.end())
        return unknownJob(formatTaskId(index));
    return found->second.task;
}

void SlurmJob::cancel(int index)
{
    if (!isArray_)
        return;
    static_cast<void>(askSlurm(scancelCommand(id_, index), kCancelSeconds, false));
    const auto now = Clock::now();
    const std::scoped_lock lock(mutex_);
    Seen& seen = tasks_[index];
    seen.task.ran = ranUntil(seen.task, seen.at, now);
    seen.task.state = "CANCELLED";
    seen.at = now;
}

seconds SlurmJob::computeTimeHeld()
{
    const auto now = Clock::now();
    const std::scoped_lock lock(mutex_);
    seconds sum{0};
    for (const auto& [index, seen] : tasks_)
        sum += seen.before + ranUntil(seen.task, seen.at, now);
    return sum;
}

std::string SlurmJob::log(const SlurmTask& task) const
{
    std::ifstream in(logs_ / fmt::format("{}-{}.log", name_, task.id), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    return text.size() > kMostLog ? text.substr(text.size() - kMostLog) : text;
}

} // namespace kl::inline remote
