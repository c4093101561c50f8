// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/session/report_command.h"
#include "app/kloop/session/session_verbs.h"

namespace kl {

Runner addSession(CLI::App& app)
{
    app.footer("A whole session without a GPU, on a recording of an H200:\n"
               "  kloop session new N+1 \"Coalesce the stores\" --kernel transpose --on sample\n"
               "  kloop session step        (again, until the phase is done)\n"
               "With --json every answer lists the allowed next actions as \"next\", which is all that an assistant needs.");
    return addCommands(
        app,
        {{"new", "Open a session", addSessionNew},
         {"kinds", "List the kinds of session, including your team's own", addSessionKinds},
         {"batch", "Read requests as JSON from standard input, one per line; answer each in one line", addSessionBatch},
         {"list", "List all sessions", addSessionList},
         {"show", "Show the current state of a session", addSessionShow},
         {"resume", "Continue after a pause or a crash; the pause is not counted", addSessionResume},
         {"diff", "Show what your edit has changed so far", addSessionDiff},
         {"gate", "Evaluate a gate without changing anything", addSessionGate},
         {"step", "Do the recommended next action", addSessionStep},
         {"profile", "Profile the current kernel", [](CLI::App& sub) { return addSessionAction(sub, "profile"); }},
         {"verify", "Check the candidate on every size of the suite", [](CLI::App& sub) { return addSessionAction(sub, "verify-suite"); }},
         {"evaluate", "Measure the candidate against the current variant", [](CLI::App& sub) { return addSessionAction(sub, "evaluate"); }},
         {"park", "Set the candidate aside: a proven but small step, with option cumulative",
          [](CLI::App& sub) { return addSessionAction(sub, "park"); }},
         {"keep", "Keep the candidate", addSessionKeep},
         {"revert", "Go back to the current variant; an edit of your source is undone",
          [](CLI::App& sub) { return addSessionAction(sub, "revert"); }},
         {"undo", "Undo the last keep or revert: its commit is reverted, its files are restored",
          [](CLI::App& sub) { return addSessionAction(sub, "undo"); }},
         {"fix", "Choose the one fix to apply", addSessionFix},
         {"act", "Do an action by its id", addSessionAct},
         {"waive", "Waive a gate; the reason is recorded", addSessionWaive},
         {"note", "Add a note to the session", addSessionNote},
         {"pattern", "Note that a pattern was applied", addSessionPattern},
         {"claim", "Add a claim to test", addSessionClaim},
         {"option", "Switch an option of the session", addSessionOptionSwitch},
         {"report", "Write a report: of a session, a comparison, the history or the patterns", addReport}});
}

} // namespace kl
