// SPDX-License-Identifier: MIT
#include "core/process/run_to_end.h"
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/last_line.h"
#include "profiler/remote/route.h"
#include "profiler/remote/slurm_commands.h"

#include <fmt/format.h>

namespace kl::inline remote {
namespace {

constexpr double kStateSeconds = 20;

class SlurmRoute final : public Route {
public:
    explicit SlurmRoute(SlurmPlace place) : place_(std::move(place)) {}

    const std::string& host() const override { return place_.host; }
    const std::string& name() const override { return place_.name; }
    bool startsByItself() const override { return true; }

    Result<std::vector<std::string>> command(bool) const override
    {
        std::vector<std::string> words = stepCommand(place_.job, false, place_.worker, {"--attach", place_.name, "--again"});
        words.insert(words.begin(), "/usr/bin/env");
        return words;
    }

    std::optional<Error> findRefusal(const std::optional<ProcessEnd>&, const std::string&) const override { return findEnd(); }

    /// What runs no more cannot be reached again. Where Slurm does not answer, it may.
    std::optional<Error> findEnd() const override
    {
        std::error_code failure;
        const CompletedRun run = runToEnd({.arguments = squeueCommand(place_.job)}, kStateSeconds, {.errors = false}, failure);
        if (failure || run.end.status != 0)
            return {};
        for (const SlurmTask& task : readTasks(run.output))
            if (task.id == place_.job && task.phase() != SlurmPhase::running)
                return makeHostLostError(place_.host,
                                         fmt::format("Slurm job {} no longer runs: {} ({}).", place_.job, task.state, task.reason),
                                         "What it was doing is lost. Run the command again.");
        return {};
    }

private:
    SlurmPlace place_;
};

} // namespace

std::unique_ptr<Route> routeIntoJob(const SlurmPlace& place)
{
    return std::make_unique<SlurmRoute>(place);
}

} // namespace kl::inline remote
