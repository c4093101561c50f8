// SPDX-License-Identifier: MIT
#include "sessions/edit/command.h"

#include "core/base/try.h"
#include "profiler/client/child_process.h"

#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <poll.h>
#include <sstream>
#include <string_view>
#include <unistd.h>

namespace kl::inline edit {
namespace {

constexpr std::chrono::minutes kPatience{10}; // a hook may run tests

std::string onPath(const std::string& program)
{
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string file = (folder.empty() ? "." : folder) + '/' + program;
        if (::access(file.c_str(), X_OK) == 0)
            return file;
    }
    return {};
}

} // namespace

Result<CommandAnswer> runCommand(const std::string& program, const std::vector<std::string>& arguments, const std::string& input)
{
    const std::string file = onPath(program);
    if (file.empty())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("{} is not installed.", program),
                     .hint = "Install it, or add it to PATH.",
                     .where = program};
    KL_ASSIGN(ChildProcess child, ChildProcess::start(file, arguments));
    CommandAnswer answer;
    std::string_view left = input;
    bool outputOpen = true;
    bool errorsOpen = true;
    bool inputOpen = true;
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (outputOpen || errorsOpen) {
        if (inputOpen && !left.empty()) {
            const std::ptrdiff_t taken = child.write(left);
            left = taken < 0 ? std::string_view() : left.substr(static_cast<std::size_t>(taken));
        }
        if (inputOpen && left.empty()) {
            child.closeInput();
            inputOpen = false;
        }
        pollfd waits[] = {{outputOpen ? child.output() : -1, POLLIN, 0},
                          {errorsOpen ? child.errors() : -1, POLLIN, 0},
                          {inputOpen ? child.input() : -1, POLLOUT, 0}};
        ::poll(waits, 3, 100);
        outputOpen = outputOpen && ChildProcess::drain(child.output(), answer.output);
        errorsOpen = errorsOpen && ChildProcess::drain(child.errors(), answer.errors);
        if (std::chrono::steady_clock::now() > end)
            return Error{.code = ErrorCode::environment,
                         .message = fmt::format("{} did not finish within ten minutes and was stopped.", program),
                         .hint = "Run it by hand to see what it waits for.",
                         .where = program,
                         .detail = answer.errors};
    }
    child.wait(std::chrono::seconds(10));
    answer.code = child.exitStatus();
    return answer;
}

} // namespace kl::inline edit
