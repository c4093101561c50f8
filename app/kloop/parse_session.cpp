// SPDX-License-Identifier: MIT
#include "app/kloop/parse_session.h"

#include "app/kloop/commands.h"

#include <CLI/CLI.hpp>
#include <string_view>

namespace kl {
namespace {

class SessionParser {
public:
    SessionParser(CLI::App& app, Parsed& parsed)
        : parsed_(parsed), o_(parsed.options), session_(*app.add_subcommand("session", "Walk a gated session, step by step"))
    {
        session_.fallthrough();
        session_.require_subcommand(1);
        session_.footer("A whole session without a GPU, on a recording of an H200:\n"
                        "  kloop session new N+1 \"Coalesce the stores\" --kernel transpose --on sample\n"
                        "  kloop session step        (again, until the phase is done)\n"
                        "With --json every answer lists the allowed next actions as \"next\": an assistant needs nothing else.");
        addOpening();
        addLooking();
        addActions();
        addRemarks();
    }

private:
    CLI::App* verb(const char* name, const char* help, Command run)
    {
        CLI::App* sub = session_.add_subcommand(name, help);
        sub->fallthrough();
        sub->callback([this_ = &parsed_, run] { this_->command = run; });
        return sub;
    }
    /// A verb of an open session.
    CLI::App* on(const char* name, const char* help, Command run)
    {
        CLI::App* sub = verb(name, help, run);
        sub->add_option("--session", o_.session, "Name or id of the session (default: the latest open one)");
        return sub;
    }
    void addOpening();
    void addLooking();
    void addActions();
    void addRemarks();

    Parsed& parsed_;
    Options& o_;
    CLI::App& session_;
};

void SessionParser::addOpening()
{
    CLI::App* fresh = verb("new", "Open a session", commandSessionNew);
    fresh->add_option("NAME", o_.first, "Name, as N+6")->required()->check(notBlank);
    fresh->add_option("OBJECTIVE", o_.second, "What it is for, one sentence")->required()->check(notBlank);
    fresh->add_option("--kind", o_.kind, "Kind of session: kloop session kinds lists them")->capture_default_str();
    fresh->add_option("--kernel", o_.kernel, "Family, or family/variant to start from")->required();
    fresh->add_option("--answer", o_.answers, "Answer to an opening question, as target-gpu=H200")->allow_extra_args(false);
    fresh->add_option("--claim", o_.claims, "A claim to test, as \"source=README of flash-x,figure=1.5x\"")->allow_extra_args(false);
    fresh->add_flag("--cumulative", o_.cumulative, "Park small sure steps and keep them together once their product is worth it");
    fresh->add_flag_callback(
        "--git", [this_ = &parsed_] { this_->options.git = true; }, "Commit a kept edit of your own source to git, with what was measured");
    fresh->add_option("--problem", o_.problems, "Sizes, as M=4096,N=4096")->allow_extra_args(false);
    fresh->footer("Without a GPU: kloop session new N+1 \"Coalesce the stores\" --kernel transpose --on sample");
    verb("kinds", "List the kinds of session, your team's own among them", commandSessionKinds);
    verb("batch", "Read requests as JSON, one a line, from standard input; answer each in one line", commandSessionBatch)
        ->footer(
            "A request: {\"verb\": \"new\", \"name\": \"N\", \"objective\": \"…\", \"kind\": \"optimize\", \"kernel\": \"transpose\"},\n"
            "then {\"verb\": \"step\"}, {\"verb\": \"act\", \"action\": \"choose-fix\", \"argument\": \"transpose/tiled\"},\n"
            "{\"verb\": \"waive\", \"gate\": \"G1\", \"reason\": \"…\"}, {\"verb\": \"note\", \"text\": \"…\"}, show, gate, claim, option, "
            "resume,\n"
            "list, kinds. \"session\" names one; without it the latest open one is meant.");
}

void SessionParser::addLooking()
{
    verb("list", "List all sessions", commandSessionList);
    on("show", "Show where a session stands", commandSessionShow)->add_option("SESSION", o_.session, "Name or id");
    on("resume", "Go on after a pause or a crash: exactly where it was, the pause is no work", commandSessionResume)
        ->add_option("SESSION", o_.session, "Name or id");
    on("diff", "Show what your edit has changed up to now", commandSessionDiff);
    on("gate", "Evaluate a gate without doing anything", commandSessionGate)
        ->add_option("GATE", o_.gate, "Its id, as G1 (default: the current one)");
}

void SessionParser::addActions()
{
    on("step", "Do the next thing that the method recommends", commandSessionStep);
    static constexpr struct {
        const char* verb;
        const char* action;
        const char* help;
    } kActions[] = {{"profile", "profile", "Profile the kernel under work"},
                    {"verify", "verify-suite", "Check the candidate on every size of the suite"},
                    {"evaluate", "evaluate", "Measure the candidate against the variant that stands"},
                    {"park", "park", "Park the candidate: a sure but small step, option cumulative"},
                    {"keep", "keep", "Keep the candidate"},
                    {"revert", "revert", "Go back to the variant that stands; an edit of your source is taken back"}};
    for (const auto& row : kActions) {
        CLI::App* sub = on(row.verb, row.help, commandSessionAct);
        sub->callback([this_ = &parsed_, action = row.action] {
            this_->options.action = action;
            this_->command = commandSessionAct;
        });
        if (std::string_view(row.action) == "keep") {
            sub->add_flag_callback(
                "--git", [this_ = &parsed_] { this_->options.argument = "git"; },
                "Commit the edit of your source, and only it, with what was measured in the message");
            sub->add_flag_callback(
                "--no-git", [this_ = &parsed_] { this_->options.argument = "no-git"; }, "Leave git alone, whatever the option git says");
        }
    }
    on("undo", "Undo the last keep or revert: its commit is taken back, its files are restored", commandSessionAct)
        ->callback([this_ = &parsed_] {
            this_->options.action = "undo";
            this_->command = commandSessionAct;
        });
    CLI::App* fix = on("fix", "Choose the one fix to apply", commandSessionAct);
    fix->add_option("FIX", o_.argument, "Id of the fix, from the finding; own-edit: your own edit of the source")->required();
    fix->callback([this_ = &parsed_] {
        this_->options.action = "choose-fix";
        this_->command = commandSessionAct;
    });
    CLI::App* act = on("act", "Do one action by its id", commandSessionAct);
    act->add_option("ACTION", o_.action, "Id, as \"next\" lists it")->required();
    act->add_option("ARGUMENT", o_.argument, "Its argument, where it takes one");
    CLI::App* waive = on("waive", "Waive a gate; the reason is kept", commandSessionWaive);
    waive->add_option("GATE", o_.gate, "Its id, as G1")->required();
    waive->add_option("--reason", o_.reason, "Why")->required();
}

void SessionParser::addRemarks()
{
    on("note", "Write a note into the session", commandSessionNote)->add_option("TEXT", o_.argument, "The note")->required();
    on("pattern", "Note that a pattern was applied", commandSessionPattern)
        ->add_option("PATTERN", o_.argument, "Its slug, from `kloop patterns`")
        ->required();
    on("claim", "Add a claim to test", commandSessionClaim)
        ->add_option("CLAIM", o_.argument, "As \"source=README of flash-x,figure=1.5x\" (or 12 us, 900 GB/s, 40 TFLOP/s)")
        ->required();
    CLI::App* option = on("option", "Switch an option of the session", commandSessionOption);
    option->add_option("OPTION", o_.action, "cumulative; or git, which commits kept edits of your source")->required();
    option->add_option("VALUE", o_.argument, "on or off")->required()->check(CLI::IsMember({"on", "off"}));
}

} // namespace

void addSessionCommands(CLI::App& app, Parsed& parsed)
{
    const SessionParser parser(app, parsed);
}

} // namespace kl
