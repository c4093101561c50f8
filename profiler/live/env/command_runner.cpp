// SPDX-License-Identifier: MIT
#include "profiler/live/env/command_runner.h"

#include "core/process/run_to_end.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace kl::inline live {
namespace {

std::vector<std::string> with(std::vector<std::string> all, const std::vector<std::string>& settings)
{
    for (const std::string& setting : settings) {
        const std::string name = setting.substr(0, setting.find('=') + 1);
        std::erase_if(all, [&](const std::string& entry) { return entry.starts_with(name); });
        all.push_back(setting);
    }
    return all;
}

} // namespace

Result<CommandResult> runCommand(const Command& command)
{
    ProcessOptions options;
    options.arguments = command.arguments;
    options.folder = command.folder;
    options.environment = with(command.environment, command.settings);
    OutputWanted wanted;
    std::ofstream log;
    if (!command.logFile.empty()) {
        log.open(command.logFile, std::ios::app | std::ios::binary);
        wanted.listen = [&](std::string_view piece) { log.write(piece.data(), static_cast<std::streamsize>(piece.size())); };
    }
    std::error_code failure;
    CompletedRun run = runToEnd(std::move(options), command.seconds, wanted, failure);
    if (failure)
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("{} could not be started{}: {}.", command.arguments.front(),
                                            command.folder.empty() ? "" : " in " + command.folder, failure.message()),
                     .where = command.arguments.front()};
    return CommandResult{run.end.status, run.timedOut, run.seconds, std::move(run.output)};
}

} // namespace kl::inline live
