// SPDX-License-Identifier: MIT
#include "profiler/remote/slurm_commands.h"

#include "core/base/trimmed.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace kl::inline remote {
namespace {

/// Options that would take the script, its streams or its array out of our hands; sbatch takes the beginning of a name for the whole.
constexpr std::array<std::string_view, 22> kOurs{
    "array",     "batch",  "chdir",    "clusters",  "error",     "get-user-env", "help",     "input",   "job-name", "nodes", "ntasks",
    "open-mode", "output", "parsable", "partition", "test-only", "usage",        "user-env", "verbose", "version",  "wait",  "wrap"};
/// One of them says how many GPUs a job gets.
constexpr std::array<std::string_view, 5> kGpus{"gres", "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket"};

constexpr std::array<std::string_view, 9> kWaitingStates{"PENDING",       "CONFIGURING",  "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED",
                                                         "RESV_DEL_HOLD", "SPECIAL_EXIT", "RESIZING", "SUSPENDED"};
constexpr std::array<std::string_view, 4> kEndingStates{"COMPLETING", "SIGNALING", "STAGE_OUT", "STOPPED"};

/// Finds the worker on a node, and becomes it. $1: where it is on the machine of the client, which may share its files.
constexpr const char* kStepScript = "w=$1; shift; [ -x \"$w\" ] || w=kloop-worker; exec \"$w\" \"$@\"";

std::string_view extractOptionName(std::string_view option)
{
    return option.substr(0, option.find('='));
}

bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}

template <std::size_t count> bool isAmong(std::string_view word, const std::array<std::string_view, count>& words)
{
    return std::ranges::find(words, word) != words.end();
}

int numberIn(std::string_view text, int otherwise = 0)
{
    int number = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// "1-02:03:04", "02:03:04", "3:04".
std::chrono::seconds durationIn(std::string_view text)
{
    int days = 0;
    if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
        days = numberIn(text.substr(0, dash));
        text.remove_prefix(dash + 1);
    }
    int sum = 0;
    while (!text.empty()) {
        const std::size_t colon = std::min(text.find(':'), text.size());
        sum = sum * 60 + numberIn(text.substr(0, colon));
        text.remove_prefix(std::min(colon + 1, text.size()));
    }
    return std::chrono::hours(24 * days) + std::chrono::seconds(sum);
}

} // namespace

const std::string_view kJobScript = R"sh(#!/bin/sh
n=$1
w=$2
shift 2
[ -x "$w" ] || w=kloop-worker
exec "$w" --supervise "$n-$SLURM_JOB_ID" --listen "$@"
)sh";

bool isPartition(std::string_view text)
{
    const auto isPart = [](char c) {
        return isLower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    };
    return !text.empty() && text.front() != '-' && text.size() <= 255 && std::ranges::all_of(text, isPart);
}

bool isSbatchOption(std::string_view text)
{
    const std::string_view name = extractOptionName(text);
    const auto isNamePart = [](char c) { return isLower(c) || (c >= '0' && c <= '9') || c == '-'; };
    const auto isPrintable = [](char c) { return c >= ' ' && c <= '~'; };
    return !name.empty() && isLower(name.front()) && std::ranges::all_of(name, isNamePart) && std::ranges::all_of(text, isPrintable) &&
           text.size() <= 1024 && std::ranges::none_of(kOurs, [&](std::string_view ours) { return ours.starts_with(name); });
}

std::vector<std::string> sbatchCommand(const SlurmOrder& order, const std::filesystem::path& script, const std::string& name,
                                       const std::filesystem::path& log)
{
    std::vector<std::string> words{"sbatch",     "--parsable", "--job-name=kernelloop", "--partition=" + order.partition, "--nodes=1",
                                   "--ntasks=1", "--requeue",  "--open-mode=append",    "--output=" + log.string()};
    if (order.workers > 1)
        words.push_back(fmt::format("--array=0-{}", order.workers - 1));
    if (std::ranges::none_of(order.options, [](const std::string& option) { return isAmong(extractOptionName(option), kGpus); }))
        words.emplace_back("--gres=gpu:1");
    for (const std::string& option : order.options)
        words.push_back("--" + option);
    words.insert(words.end(), {script.string(), name, order.worker.string()});
    words.insert(words.end(), order.arguments.begin(), order.arguments.end());
    return words;
}

Result<std::string> parseSubmittedJob(const std::string& printed)
{
    const std::string_view line = trimText(printed);
    const std::string_view id = line.substr(0, line.find(';'));
    if (id.empty() || !std::ranges::all_of(id, [](char c) { return c >= '0' && c <= '9'; }))
        return Error{.code = ErrorCode::environment,
                     .message = "sbatch did not answer with the ID of a job.",
                     .hint = kUseSlurm,
                     .where = "sbatch",
                     .detail = printed};
    return std::string(id);
}

std::vector<std::string> stepCommand(const std::string& job, bool onGpus, const std::filesystem::path& worker,
                                     const std::vector<std::string>& arguments)
{
    std::vector<std::string> words{"srun",      "--quiet",    "--jobid=" + job, "--overlap",
                                   "--nodes=1", "--ntasks=1", "--mpi=none",     "--unbuffered"};
    if (!onGpus)
        words.emplace_back("--gres=none");
    words.insert(words.end(), {"sh", "-c", kStepScript, "kloop", worker.string()});
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

SlurmPhase SlurmTask::phase() const
{
    if (state == "RUNNING")
        return SlurmPhase::running;
    return isAmong(state, kWaitingStates) ? SlurmPhase::waiting : isAmong(state, kEndingStates) ? SlurmPhase::ending : SlurmPhase::ended;
}

std::vector<std::string> squeueCommand(const std::string& job)
{
    return {"squeue", "--noheader", "--array", "--states=all", "--jobs=" + job, "--format=%A|%K|%T|%M|%N|%S|%r"};
}

std::vector<SlurmTask> readTasks(std::string_view printed)
{
    std::vector<SlurmTask> tasks;
    while (!printed.empty()) {
        const std::size_t end = std::min(printed.find('\n'), printed.size());
        std::string_view line = trimText(printed.substr(0, end));
        printed.remove_prefix(std::min(end + 1, printed.size()));
        std::array<std::string_view, 7> fields;
        std::size_t count = 0;
        while (count + 1 < fields.size() && line.find('|') != std::string_view::npos) {
            fields[count++] = line.substr(0, line.find('|'));
            line.remove_prefix(line.find('|') + 1);
        }
        fields[count++] = line;
        if (count != fields.size() || fields[0].empty() || fields[2].empty())
            continue;
        const bool known = fields[5] != "N/A";
        tasks.push_back({std::string(fields[0]), numberIn(fields[1]), std::string(fields[2]), std::string(fields[6]),
                         std::string(fields[4]), known ? std::string(fields[5]) : std::string(), durationIn(fields[3])});
    }
    return tasks;
}

std::vector<std::string> scancelCommand(const std::string& job, int task)
{
    return {"scancel", "--quiet", task < 0 ? job : fmt::format("{}_{}", job, task)};
}

} // namespace kl::inline remote
