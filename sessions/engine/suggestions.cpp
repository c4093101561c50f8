// SPDX-License-Identifier: MIT
#include "sessions/engine/suggestions.h"

#include <fmt/format.h>

namespace kl {

void Suggestions::add(const std::string& action, const std::string& title, const std::string& argument, const std::string& locked)
{
    NextAction next;
    next.action = action;
    next.argument = argument;
    next.title = title;
    next.enabled = locked.empty();
    next.reason = locked;
    next.argv = {"kloop", "session"};
    if (model_.view.next.empty()) {
        next.argv.push_back("step");
    } else {
        next.argv.insert(next.argv.end(), {"act", action});
        if (!argument.empty())
            next.argv.push_back(argument);
    }
    finish(next);
}

void Suggestions::addText(const std::string& action, const std::string& title, const std::string& question)
{
    NextAction next;
    next.action = action;
    next.title = title;
    next.argv = {"kloop", "session", "act", action, "TEXT"};
    next.inputs.push_back({"TEXT", question, {}});
    finish(next);
}

void Suggestions::addWaiver(const GateView& gate)
{
    NextAction next;
    next.action = "waive";
    next.argument = gate.id;
    next.title = fmt::format("Waive {} with a reason that is kept", gate.id);
    next.argv = {"kloop", "session", "waive", gate.id, "--reason", "REASON"};
    next.inputs.push_back({"REASON", fmt::format("Why may {} be passed all the same?", gate.id), {}});
    finish(next);
}

void Suggestions::finish(NextAction& next)
{
    const SessionHeader& header = model_.view.header;
    next.argv.insert(next.argv.end(), {"--session", header.id.text});
    if (header.source == Source::sample)
        next.argv.insert(next.argv.end(), {"--on", "sample"});
    if (location_ != Store::defaultLocation())
        next.argv.insert(next.argv.end(), {"--db", location_});
    next.command = commandOf(next.argv);
    next.argv.push_back("--json");
    model_.view.next.push_back(std::move(next));
}

std::string commandOf(const std::vector<std::string>& argv)
{
    std::string command;
    for (const std::string& word : argv) {
        const bool quote = word.empty() || word.find_first_of(" \t\"'$&;|()<>*?\\") != std::string::npos;
        std::string safe;
        for (const char c : word)
            safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
        command += (command.empty() ? "" : " ") + (quote ? '\'' + safe + '\'' : word);
    }
    return command;
}

} // namespace kl
