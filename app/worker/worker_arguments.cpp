// SPDX-License-Identifier: MIT
#include "app/worker/worker_arguments.h"

#include <charconv>
#include <string_view>

namespace kl::worker {
namespace {

bool readSeconds(std::string_view text, std::chrono::seconds& value)
{
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    value = std::chrono::seconds(number);
    return problem == std::errc() && end == text.data() + text.size() && number > 0;
}

/// An option with a value; false for one that there is not.
bool readValue(WorkerArguments& arguments, std::string_view name, const char* value)
{
    if (name == "--device")
        arguments.gpu = value;
    else if (name == "--replay")
        arguments.replay = value;
    else if (name == "--key")
        arguments.key = value;
    else if (name == "--job")
        arguments.job = value;
    else if (name == "--name")
        arguments.name = value;
    else if (name == "--worker")
        arguments.worker = value;
    else if (name == "--idle")
        return readSeconds(value, arguments.idle);
    else if (name == "--give-up")
        return readSeconds(value, arguments.giveUp);
    else if (name == "--relay") {
        arguments.role = WorkerArguments::Role::relay;
        arguments.host = value;
    } else if (name == "--attach") {
        arguments.role = WorkerArguments::Role::attach;
        arguments.name = value;
    } else if (name == "--supervise") {
        arguments.role = WorkerArguments::Role::supervise;
        arguments.name = value;
    } else {
        return false;
    }
    return true;
}

} // namespace

std::vector<std::string> WorkerArguments::makeServingArguments() const
{
    std::vector<std::string> words;
    if (!gpu.empty())
        words.insert(words.end(), {"--device", gpu});
    if (!replay.empty())
        words.insert(words.end(), {"--replay", replay});
    return words;
}

std::optional<WorkerArguments> readWorkerArguments(int argc, char** argv)
{
    WorkerArguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--orderly-end")
            arguments.orderly = true;
        else if (word == "--new")
            arguments.start = true;
        else if (word == "--again")
            arguments.start = false;
        else if (word == "--listen")
            arguments.listen = true;
        else if (i + 1 == argc || !readValue(arguments, word, argv[++i]))
            return {};
    }
    return arguments;
}

} // namespace kl::worker
