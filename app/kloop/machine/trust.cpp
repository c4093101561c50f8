// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/shell_line.h"
#include "core/base/try.h"
#include "sessions/trust/commands_of_file.h"
#include "sessions/trust/trust_store.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

constexpr std::size_t kShownDigits = 12;
constexpr std::size_t kDate = 10;
constexpr std::size_t kMostShown = 80; ///< of a command; --json has all of it

Json commandJson(const FileCommand& command)
{
    return {
        {"hash", command.hash}, {"file", command.file}, {"command", command.command}, {"folder", command.folder}, {"files", command.files}};
}

std::string clipText(const std::string& line)
{
    if (line.size() <= kMostShown)
        return line;
    std::size_t end = kMostShown;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) // within a character
        --end;
    return line.substr(0, end) + "…";
}

/// Whether its file still names this command as it was allowed.
bool isCurrent(const FileCommand& command)
{
    const Result<std::vector<FileCommand>> now = listFileCommands(command.file);
    return now && std::ranges::find(*now, command.hash, &FileCommand::hash) != now->end();
}

Result<int> listTrusted(Program& program)
{
    const TrustStore store;
    KL_ASSIGN(const std::vector<TrustedCommand> rows, store.list());
    Json list = Json::array();
    Table table({"Hash", "Allowed", "Version", "File", "Runs"});
    for (const TrustedCommand& row : rows) {
        const bool current = isCurrent(row.command);
        list.push_back(commandJson(row.command));
        list.back()["at"] = row.at;
        list.back()["current"] = current;
        table.add({row.command.hash.substr(0, kShownDigits), row.at.substr(0, kDate), current ? "latest" : "earlier",
                   visibleText(row.command.file), clipText(visibleText(shellLine(row.command.command)))});
    }
    if (!program.printAsJson({{"schema", "kernelloop.trust/1"}, {"kept_in", store.file().string()}, {"trusted", list}}))
        printText("{}", rows.empty() ? "You have not allowed any commands yet.\n" : table.text());
    return 0;
}

Result<int> trustFile(Program& program, const std::string& file)
{
    KL_ASSIGN(const std::vector<FileCommand> commands, listFileCommands(file));
    Json added = Json::array();
    for (const FileCommand& command : commands) {
        KL_TRY(TrustStore().add(command));
        added.push_back(commandJson(command));
    }
    if (!program.printAsJson({{"schema", "kernelloop.trust/1"}, {"added", added}}))
        for (const FileCommand& command : commands) {
            printText("Allowed {}\n  {}\n", command.hash.substr(0, kShownDigits), visibleText(shellLine(command.command)));
            if (!command.afterwards.empty())
                printText("  then {}\n", visibleText(command.afterwards));
            printText("  named by {}\n", visibleText(command.file));
        }
    return 0;
}

Result<int> forgetTrusted(Program& program, const std::string& hash)
{
    KL_ASSIGN(const TrustedCommand removed, TrustStore().remove(hash));
    if (!program.printAsJson({{"schema", "kernelloop.trust/1"}, {"removed", Json::array({commandJson(removed.command)})}}))
        printText("No longer allowed: {}\n", visibleText(shellLine(removed.command.command)));
    return 0;
}

Runner addTrustList(CLI::App&)
{
    return listTrusted;
}

Runner addTrustAdd(CLI::App& app)
{
    const auto file = std::make_shared<std::string>();
    app.add_option("FILE", *file, "A kernelloop.json, a kernel.json, the folder of one, or a reference script")->required();
    return [file](Program& program) { return trustFile(program, *file); };
}

Runner addTrustRemove(CLI::App& app)
{
    const auto hash = std::make_shared<std::string>();
    app.add_option("HASH", *hash, "Its hash, or the start of it")->required();
    return [hash](Program& program) { return forgetTrusted(program, *hash); };
}

} // namespace

Runner addTrust(CLI::App& app)
{
    app.footer("A command is identified by what it runs: when the file or its script changes, you are asked again.\n"
               "Without a terminal, a command that is not allowed is refused (exit status 1).");
    return addCommands(app, {{"list", "List the commands that you have allowed, newest first", addTrustList},
                             {"add", "Allow a file's commands without running them", addTrustAdd},
                             {"remove", "Ask about a command again", addTrustRemove}});
}

} // namespace kl::cli
