// SPDX-License-Identifier: MIT
#include "app/kloop/terminal/streams.h"

#include "app/kloop/terminal/table.h"
#include "core/base/clean_text.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace kl::cli {

void holdStandardStreams()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(descriptor, F_GETFD) < 0) // the lowest one that is free is what open() takes
            [[maybe_unused]]
            const int taken = ::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

std::string forTerminal(const std::string& text)
{
    std::string out;
    std::size_t at = 0;
    for (std::size_t mark = text.find(kToneMark); mark != std::string::npos; mark = text.find(kToneMark, mark + 1)) {
        const char* sequence = mark + 1 < text.size() ? toneSequence(text[mark + 1]) : nullptr;
        if (!sequence)
            continue;
        out += cleanText(std::string_view(text).substr(at, mark - at)) + sequence;
        at = mark + 2;
    }
    return out + cleanText(std::string_view(text).substr(at));
}

void printRaw(std::string_view text)
{
    fmt::print("{}", text);
}

void printJson(std::string_view json)
{
    fmt::print("{}\n", escapeHidden(json));
}

Status flushAnswer(std::error_code failure)
{
    static std::error_code first; // the stream remembers that it failed, not why
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;
    if (!failure)
        failure.assign(errno, std::generic_category());
    if (flushed && std::ferror(stdout) == 0)
        return {};
    if (!first)
        first = failure;
    const std::string why = first ? ": " + first.message() : std::string();
    return Error{.code = ErrorCode::badInput,
                 .message = "The answer could not be written to standard output" + why + '.',
                 .hint = "See that it is open and that its disk has space; the command itself may have been done.",
                 .where = "standard output"};
}

} // namespace kl::cli
