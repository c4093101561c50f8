// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/terminal_consent.h"

#include "app/kloop/terminal/progress.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/shell_line.h"
#include "core/base/try.h"
#include "sessions/trust/requested_consent.h"

#include <poll.h>
#include <set>
#include <termios.h>
#include <unistd.h>

namespace kl::cli {
namespace {

constexpr int kSlice = 100;             ///< ms between looks at whether to stop
constexpr std::size_t kDateLength = 10; ///< characters of a time's date

/// A line of standard input; empty at its end. Error interrupted.
Result<std::string> readTypedLine(const Job& job)
{
    std::string line;
    while (true) {
        if (job.stop.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "Stopped by you."};
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (::poll(&input, 1, kSlice) <= 0)
            continue;
        char c = 0;
        if (::read(STDIN_FILENO, &c, 1) != 1 || c == '\n')
            return line;
        line += c;
    }
}

std::string heading(const FileCommand& command)
{
    if (!command.question.empty())
        return visibleText(command.question);
    if (!command.changedSince.empty())
        return fmt::format("Changed since you allowed it on {}:", command.changedSince.substr(0, kDateLength));
    return command.folder.empty() ? "A kernel's script has not been allowed to run yet:"
                                  : "A file contains a command that you have not allowed:";
}

Result<bool> askOnTerminal(const FileCommand& command, const Job& job)
{
    say("\n{}\n\n  File     {}\n  Runs     {}\n  In       {}\n", heading(command), visibleText(command.file),
        visibleText(shellLine(command.command)),
        command.folder.empty() ? "a private folder with the kernel's inputs" : visibleText(command.folder));
    if (!command.files.empty())
        say("  With     {}\n", filesText(command));
    if (!command.afterwards.empty())
        say("  Then     {}\n", visibleText(command.afterwards));
    return askYesNo(fmt::format("  SHA-256  {}\n\nAllow it to run, now and until one of its files changes? [y/N] ", command.hash), job);
}

} // namespace

Result<bool> askYesNo(const std::string& question, const Job& job)
{
    ::tcflush(STDIN_FILENO, TCIFLUSH); // what was typed before the question does not answer it
    say("{}", question);
    KL_ASSIGN(const std::string answer, readTypedLine(job));
    return answer == "y" || answer == "Y" || answer == "yes";
}

std::shared_ptr<Consent> terminalConsent(bool trust, ProgressLine& progress)
{
    RequestedConsent::Asker asker;
    if (trust)
        asker = [](const FileCommand&, const Job&) -> Result<bool> { return true; };
    else if (::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0)
        asker = [&progress, refused = std::set<std::string>()](const FileCommand& command, const Job& job) mutable -> Result<bool> {
            if (refused.contains(command.hash)) // a no holds for this whole command, whatever it measures
                return false;
            progress.clear();
            Result<bool> answer = askOnTerminal(command, job);
            if (answer && !*answer)
                refused.insert(command.hash);
            return answer;
        };
    return std::make_shared<RequestedConsent>(TrustStore(), std::move(asker));
}

} // namespace kl::cli
