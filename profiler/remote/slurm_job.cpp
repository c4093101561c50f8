// SPDX-License-Identifier: MIT
#include "profiler/remote/slurm_job.h"

#include "core/base/file_cache.h"
#include "core/base/ids.h"
#include "core/base/scratch_folder.h"
#include "core/base/trimmed.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/process/run_to_end.h"
#include "profiler/remote/last_line.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>

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

Error slurmFailed(const std::string& program, const std::string& why, const std::string& detail)
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
    return slurmFailed("squeue", fmt::format("it does not know job {}", id), {});
}

/// One of Slurm's programs.
Result<std::string> askSlurm(std::vector<std::string> command, double limit, bool errorsToo)
{
    const std::string program = command.front();
    std::error_code failure;
    const CompletedRun run = runToEnd({.arguments = std::move(command)}, limit, {.errors = errorsToo}, failure);
    if (failure)
        return slurmFailed(program, failure.message(), {});
    if (run.timedOut)
        return slurmFailed(program, fmt::format("no answer within {:.0f} s", limit), run.output);
    if (run.end.status != 0)
        return slurmFailed(program, withoutName(lastLine(run.output), program), run.output);
    return run.output;
}

/// Below the user's cache, which the nodes usually share; /tmp otherwise.
Result<fs::path> logFolder()
{
    fs::path folder = FileCache::folderOf("slurm");
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

Result<std::shared_ptr<SlurmJob>> SlurmJob::submit(const SlurmOrder& order)
{
    const std::string name = newUuid();
    KL_ASSIGN(const fs::path logs, logFolder());
    KL_ASSIGN(const ScratchFolder folder, ScratchFolder::make()); // sbatch reads the script before it answers
    const fs::path script = folder.path() / "job.sh";
    KL_TRY(writeFile(script, kJobScript));
    KL_ASSIGN(const std::string printed,
              askSlurm(sbatchCommand(order, script, name, logs / fmt::format("{}-%j.log", name)), kSubmitSeconds, true));
    // Behind what a site's plugins may print first.
    KL_ASSIGN(const std::string id, submittedJob(lastLine(printed)));
    return std::shared_ptr<SlurmJob>(new SlurmJob(id, name, logs, order.workers > 1));
}

SlurmJob::SlurmJob(std::string id, std::string name, fs::path logs, bool isArray)
    : id_(std::move(id)), name_(std::move(name)), logs_(std::move(logs)), isArray_(isArray)
{
}

SlurmJob::~SlurmJob()
{
    const Finishing finishing;
    static_cast<void>(askSlurm(scancelCommand(id_), kCancelSeconds, false));
    std::error_code ignored;
    for (const auto& [index, task] : tasks_)
        fs::remove(logs_ / fmt::format("{}-{}.log", name_, task.id), ignored);
}

std::string SlurmJob::idOf(int index) const
{
    return isArray_ ? fmt::format("{}_{}", id_, index) : id_;
}

Status SlurmJob::refresh(Clock::duration fresh)
{
    const auto now = Clock::now();
    if (!tasks_.empty() && now < asked_ + fresh)
        return {};
    asked_ = now;
    const Result<std::string> printed = askSlurm(squeueCommand(id_), kQuerySeconds, false);
    const std::vector<SlurmTask> all = printed ? readTasks(*printed) : std::vector<SlurmTask>();
    if (all.empty()) {
        if (!tasks_.empty() && now < answered_ + kSilence)
            return {};
        return printed ? unknownJob(id_) : printed.error();
    }
    answered_ = now;
    for (const SlurmTask& task : all) {
        SlurmTask& known = tasks_[task.index];
        if (task.ran < known.ran) // it began again
            before_[task.index] += known.ran;
        known = task;
    }
    return {};
}

Result<SlurmTask> SlurmJob::task(int index)
{
    const std::scoped_lock lock(mutex_);
    KL_TRY(refresh(kFresh));
    const auto found = tasks_.find(index);
    if (found == tasks_.end())
        return unknownJob(idOf(index));
    return found->second;
}

void SlurmJob::cancel(int index)
{
    static_cast<void>(askSlurm(scancelCommand(id_, isArray_ ? index : -1), kCancelSeconds, false));
}

seconds SlurmJob::timeHeld(int index)
{
    const std::scoped_lock lock(mutex_);
    (void)refresh({});
    const auto before = before_.find(index);
    return tasks_[index].ran + (before == before_.end() ? seconds{0} : before->second);
}

std::string SlurmJob::log(const SlurmTask& task) const
{
    std::ifstream in(logs_ / fmt::format("{}-{}.log", name_, task.id), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    return text.size() > kMostLog ? text.substr(text.size() - kMostLog) : text;
}

} // namespace kl::inline remote
