// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/session/session_verbs.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/try.h"
#include "sessions/session/session_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct ChecklistOptions {
    std::string session;
    std::string item;
    std::optional<std::string> note;
};

void printChecklist(const SessionView& view)
{
    std::string group;
    for (const ChecklistItem& item : view.checklist) {
        if (item.group != group)
            printText("{}{}\n", group.empty() ? "" : "\n", applyTone(item.group, Tone::strong));
        group = item.group;
        const char* mark = item.state == TickState::done ? "[x]" : item.state == TickState::failed ? "[!]" : "[ ]";
        const Tone tone = item.state == TickState::done ? Tone::good : item.state == TickState::failed ? Tone::bad : Tone::plain;
        printText("  {} {:<15} {}\n", applyTone(mark, tone), item.id, item.title);
        if (!item.found.empty())
            printText("      {}{}\n", item.found, item.evidence.empty() ? "" : applyTone("  " + item.evidence, Tone::faint));
        if (!item.note.empty())
            printText("      {}: {}\n", item.byNote ? "checked off by note" : "note", item.note);
        if (item.next)
            printText("      {}\n", applyTone(formatCommand(*item.next), Tone::faint));
    }
}

Result<int> showChecklist(Program& program, const ChecklistOptions& options)
{
    KL_ASSIGN(const SessionHeader header, pickSession(program, options.session, Pick::latest));
    KL_ASSIGN(auto* engine, program.engine());
    KL_ASSIGN(SessionView view, engine->view(header.id));
    if (options.note) {
        KL_ASSIGN(view, engine->tick(header.id, options.item, *options.note));
    }
    Json answer{{"schema", "kernelloop.checklist/1"}, {"session", header.name}, {"checklist", sessionToJson(view)["checklist"]}};
    if (!program.printAsJson(answer))
        printChecklist(view);
    return 0;
}

} // namespace

Runner addSessionChecklist(CLI::App& app)
{
    const auto o = std::make_shared<ChecklistOptions>();
    addSessionOption(app, o->session, "Name or id of the session (default: the latest one)");
    CLI::Option* tick = app.add_option("--tick", o->item, "Check off this item with a note; only where no evidence decides it");
    CLI::Option* note = app.add_option("--note", o->note, "The note; an empty one clears the check mark");
    tick->needs(note);
    note->needs(tick);
    app.footer("Items with evidence (a run, a check, a log) are checked automatically. Check off the others with a note.\n"
               "  kloop session checklist --tick git-history --note \"Last good commit: 3f2c81a\"");
    return [o](Program& program) { return showChecklist(program, *o); };
}

} // namespace kl::cli
