// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/session/report_command.h"
#include "app/kloop/session/session_verbs.h"
#include "sessions/engine/action_table.h"

namespace kl::cli {

Runner addSession(CLI::App& app)
{
    app.footer("A whole session without a GPU, on a recording of an H200:\n"
               "  kloop session new N+1 \"Coalesce the stores\" --kernel transpose --on sample\n"
               "  kloop session step        (again, until the session is done)\n"
               "With --json, every reply lists the allowed next actions as \"next\"; an assistant needs nothing else.");
    std::vector<Command> commands{
        {"new", "Open a session", addSessionNew},
        {"kinds", "List the kinds of session, including your team's own", addSessionKinds},
        {"batch", "Read requests as JSON from standard input, one per line; answer each with one line", addSessionBatch},
        {"list", "List all sessions", addSessionList},
        {"show", "Show the current state of a session", addSessionShow},
        {"resume", "Continue after a pause or a crash; the pause is not counted", addSessionResume},
        {"diff", "Show what your edit has changed so far", addSessionDiff},
        {"gate", "Evaluate a gate without changing anything", addSessionGate},
        {"step", "Take the recommended next action", addSessionStep}};
    for (const ActionRow& row : actionTable())
        if (row.verb)
            commands.push_back({row.verb, row.title, [&row](CLI::App& sub) { return addSessionAction(sub, row.action); }});
    commands.insert(commands.end(),
                    {{"fix", "Choose the one fix to apply", addSessionFix},
                     {"act", "Take an action, given its id", addSessionAct},
                     {"waive", "Waive a gate; the reason is recorded", addSessionWaive},
                     {"plan", "Write the session's plan, to review and edit", addSessionPlan},
                     {"write", "Answer the report's questions: root cause, what worked, what failed, what is next", addSessionWrite},
                     {"checklist", "Show the checklist with its evidence; check off items by note", addSessionChecklist},
                     {"compare", "Compare two sessions side by side", addSessionCompare},
                     {"note", "Add a note to the session", addSessionNote},
                     {"pattern", "Record that a pattern was applied", addSessionPattern},
                     {"claim", "Add a claim to test", addSessionClaim},
                     {"option", "Turn a session option on or off", addSessionOptionSwitch},
                     {"rename", "Rename a session", addSessionRename},
                     {"tag", "Add tags to a session", [](CLI::App& sub) { return addSessionTag(sub, true); }},
                     {"untag", "Remove tags from a session", [](CLI::App& sub) { return addSessionTag(sub, false); }},
                     {"delete", "Delete a session; its runs stay", addSessionDelete},
                     {"report", "Write a report: of a session, a comparison, the history or the patterns", addReport}});
    return addCommands(app, commands);
}

} // namespace kl::cli
