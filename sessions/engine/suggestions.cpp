// SPDX-License-Identifier: MIT
#include "sessions/engine/suggestions.h"

#include "core/base/shell_line.h"

#include <fmt/format.h>
#include <string_view>

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
    next.title = fmt::format("Waive {} and record the reason", gate.id);
    next.argv = {"kloop", "session", "waive", gate.id, "--reason", "REASON"};
    next.inputs.push_back({"REASON", fmt::format("Why is it acceptable to continue without {}?", gate.id), {}});
    finish(next);
}

void Suggestions::finish(NextAction& next)
{
    const std::vector<std::string> flags = sessionFlags(model_.view.header, location_);
    next.argv.insert(next.argv.end(), flags.begin(), flags.end());
    next.command = shellLine(next.argv);
    next.argv.push_back("--json");
    model_.view.next.push_back(std::move(next));
}

std::vector<std::string> sessionFlags(const SessionHeader& header, const std::string& location)
{
    std::vector<std::string> flags{"--session", header.id.text};
    if (header.source == Source::sample)
        flags.insert(flags.end(), {"--on", "sample"});
    if (location != Store::defaultLocation())
        flags.insert(flags.end(), {"--db", location});
    return flags;
}

std::string inSession(const std::string& text, const SessionHeader& header, const std::string& location)
{
    constexpr std::string_view kSession = "kloop session ";
    const std::string flags = ' ' + shellLine(sessionFlags(header, location));
    std::string out;
    std::size_t done = 0;
    for (std::size_t at = text.find(kSession); at != std::string::npos; at = text.find(kSession, done)) {
        const std::size_t end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", at + kSession.size()), text.size());
        const std::string verb = text.substr(at + kSession.size(), end - at - kSession.size());
        out += text.substr(done, end - done);
        if (verb != "new" && verb != "list" && verb != "kinds" && verb != "batch")
            out += flags;
        done = end;
    }
    // A full stop behind the flags would be copied with them.
    return out + (out.ends_with(flags) && text.substr(done) == "." ? std::string() : text.substr(done));
}

} // namespace kl
