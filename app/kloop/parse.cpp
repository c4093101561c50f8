// SPDX-License-Identifier: MIT
#include "app/kloop/parse.h"

#include "app/kloop/commands.h"
#include "app/kloop/parse_learning.h"
#include "core/codec/json.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// CLI11's own check prints the whole range of a double.
std::string positive(const std::string& text)
{
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end && *end == '\0' && std::isfinite(value) && value > 0 ? std::string() : '"' + text + "\" is not a number above 0";
}

std::string notBlank(const std::string& text)
{
    return text.find_first_not_of(" \t\n") == std::string::npos ? "say it in a few words" : std::string();
}

/// One program's worth of CLI11: each group of commands adds its own.
class Parser {
public:
    explicit Parser(Parsed& parsed) : parsed_(parsed), o_(parsed.options)
    {
        app_.fallthrough();
        app_.require_subcommand(1);
        app_.failure_message(CLI::FailureMessage::simple);
        app_.set_version_flag("--version", std::string("kloop ") + KL_VERSION);
        app_.add_flag("--json", o_.json, "Answer as JSON on standard output");
        app_.add_option("--db", o_.db, "Database file; :sample: for the sample database (default: $KERNELLOOP_DB, else your own)");
        app_.add_option("--on", o_.on, "Device: local (this machine's GPU) or sample (a recording, no GPU needed)")
            ->check(CLI::IsMember({"local", "sample"}));
        addMeasuring();
        addJudging();
        addSession();
        addLearningCommands(app_, parsed_);
        addStore();
    }

    CLI::App& app() { return app_; }

private:
    CLI::App* command(CLI::App& parent, const char* name, const char* help, Command run)
    {
        CLI::App* sub = parent.add_subcommand(name, help);
        sub->fallthrough();
        if (run)
            sub->callback([this, run] { parsed_.command = run; });
        else
            sub->require_subcommand(1);
        return sub;
    }
    void addProblem(CLI::App* sub)
    {
        sub->add_option("--problem", o_.problems, "Sizes, as M=4096,N=4096; may be given several times")->allow_extra_args(false);
    }
    void addSessionName(CLI::App* sub)
    {
        sub->add_option("--session", o_.session, "Name or id of the session (default: the latest open one)");
    }

    void addMeasuring();
    void addJudging();
    void addSession();
    void addSessionActions(CLI::App& session);
    void addStore();

    Parsed& parsed_;
    Options& o_;
    CLI::App app_{"KernelLoop: measure, explain and improve CUDA kernels", "kloop"};
};

void Parser::addMeasuring()
{
    command(app_, "env", "Check this machine: driver, permissions, libraries, a smoke kernel", commandEnv);
    command(app_, "kernels", "List the kernels that the program carries", commandKernels);
    CLI::App* run = command(app_, "run", "Check a kernel against its reference, time it and its baseline", commandRun);
    run->add_option("KERNEL", o_.first, "family/variant, as transpose/naive")->required();
    run->add_flag("--suite", o_.suite, "Check every size of the correctness suite first");
    addProblem(run);
    CLI::App* profile = command(app_, "profile", "Collect hardware metrics and say what limits the kernel", commandProfile);
    profile->add_option("KERNEL", o_.first, "family/variant, as transpose/naive")->required();
    profile->add_option("--tier", o_.tier, "Metrics: 0 quick, 1 standard, 2 full")->check(CLI::Range(0, 2));
    addProblem(profile);
    profile->add_flag("--source,!--no-source", o_.source, "Find the source lines where time goes (default: at tier 2)");
    profile->footer("Without a GPU, on a recording of an H200:\n  kloop profile transpose/naive --on sample");
    CLI::App* ab = command(app_, "ab", "Measure two variants in alternating blocks", commandAb);
    ab->add_option("A", o_.first, "family/variant")->required();
    ab->add_option("B", o_.second, "family/variant")->required();
    ab->add_option("--keep-at", o_.keepAt, "Ratio that a keep decision asks for (1.2); 1 for a plain comparison")
        ->check(CLI::Range(1.0, 100.0));
    addProblem(ab);
    CLI::App* calibrate = command(app_, "calibrate", "Measure this device's A/A noise: kernels against themselves", commandCalibrate);
    calibrate->add_option("KERNEL", o_.kernels, "family/variant or family (default: the first variant of every family)");
    calibrate->add_option("--repeats", o_.repeats, "A/A comparisons of each kernel (default: 5)")->check(CLI::Range(1, 1000));
    addProblem(calibrate);
    CLI::App* record = command(app_, "record", "For developers: record everything that the sample holds", commandRecord);
    record->add_option("FILE", o_.first, "Capture to write")->required();
    record->add_option("--only", o_.only, "Record one family");
}

void Parser::addJudging()
{
    CLI::App* analyze = command(app_, "analyze", "Diagnose stored measurements again", commandAnalyze);
    analyze->add_option("FILE", o_.first, "What `kloop profile --json` wrote")->required();
    CLI::App* decide = command(app_, "decide", "What the method says to do at this speedup", commandDecide);
    decide->add_option("SPEEDUP", o_.speedup, "Baseline time / kernel time")->required()->check(positive);
    decide->add_option("KERNEL_MS", o_.kernelMs, "Kernel time in milliseconds")->required()->check(positive);
    CLI::App* compare = command(app_, "compare", "Compare two stored runs", commandCompare);
    compare->add_option("A", o_.first, "run:ID or the start of one, or family/variant for its newest run")->required();
    compare->add_option("B", o_.second, "run:ID or the start of one, or family/variant for its newest run")->required();
    compare->add_option("--waive", o_.reason, "Compare across devices, drivers or clocks all the same; say why")->check(notBlank);
    addProblem(compare);
    command(app_, "version", "Print the program's version", commandVersion);
}

void Parser::addSession()
{
    CLI::App* session = command(app_, "session", "Walk an optimisation session, gate by gate", nullptr);
    session->footer("A whole session without a GPU, on a recording of an H200:\n"
                    "  kloop session new N+1 \"Coalesce the stores\" --kernel transpose --on sample\n"
                    "  kloop session step        (again, until the phase is done)");
    CLI::App* fresh = command(*session, "new", "Open a session", commandSessionNew);
    fresh->add_option("NAME", o_.first, "Name, as N+6")->required();
    fresh->add_option("OBJECTIVE", o_.second, "What it is for, one sentence")->required()->check(notBlank);
    fresh->add_option("--kind", o_.kind, "Kind of session")->capture_default_str();
    fresh->add_option("--kernel", o_.kernel, "Family, or family/variant to start from")->required();
    fresh->add_option("--answer", o_.answers, "Answer to an opening question, as target-gpu=H200")->allow_extra_args(false);
    addProblem(fresh);
    fresh->footer("Without a GPU: kloop session new N+1 \"Coalesce the stores\" --kernel transpose --on sample");
    command(*session, "list", "List all sessions", commandSessionList);
    CLI::App* show = command(*session, "show", "Show where a session stands", commandSessionShow);
    show->add_option("SESSION", o_.session, "Name or id");
    addSessionName(show);
    addSessionName(command(*session, "step", "Do the next thing that the method recommends", commandSessionStep));
    CLI::App* gate = command(*session, "gate", "Evaluate a gate without doing anything", commandSessionGate);
    gate->add_option("GATE", o_.gate, "G1 to G5 (default: the current one)");
    addSessionName(gate);
    addSessionActions(*session);
}

void Parser::addSessionActions(CLI::App& session)
{
    static constexpr struct {
        const char* verb;
        const char* action;
        const char* help;
    } kActions[] = {{"profile", "profile", "Profile the kernel under work"},
                    {"verify", "verify-suite", "Check the candidate on every size of the suite"},
                    {"evaluate", "evaluate", "Measure the candidate against the kept variant"},
                    {"keep", "keep", "Keep the candidate"},
                    {"revert", "revert", "Go back to the kept variant"}};
    for (const auto& row : kActions) {
        CLI::App* sub = session.add_subcommand(row.verb, row.help);
        sub->fallthrough();
        sub->callback([this, action = row.action] {
            o_.action = action;
            parsed_.command = commandSessionAct;
        });
        addSessionName(sub);
    }
    CLI::App* fix = session.add_subcommand("fix", "Choose the one fix to apply");
    fix->fallthrough();
    fix->add_option("FIX", o_.argument, "Id of the fix, from the finding")->required();
    fix->callback([this] {
        o_.action = "choose-fix";
        parsed_.command = commandSessionAct;
    });
    addSessionName(fix);
    CLI::App* act = command(session, "act", "Do one action by its id", commandSessionAct);
    act->add_option("ACTION", o_.action, "Id, as \"next\" lists it")->required();
    act->add_option("ARGUMENT", o_.argument, "Its argument, where it takes one");
    addSessionName(act);
    CLI::App* waive = command(session, "waive", "Waive a gate; the reason is kept", commandSessionWaive);
    waive->add_option("GATE", o_.gate, "G1 to G5")->required();
    waive->add_option("--reason", o_.reason, "Why")->required();
    addSessionName(waive);
    CLI::App* note = command(session, "note", "Write a note into the session", commandSessionNote);
    note->add_option("TEXT", o_.argument, "The note")->required();
    addSessionName(note);
    CLI::App* pattern = command(session, "pattern", "Note that a pattern was applied", commandSessionPattern);
    pattern->add_option("PATTERN", o_.argument, "Its slug, from `kloop patterns`")->required();
    addSessionName(pattern);
    for (CLI::App* parent : {&session, &app_}) {
        CLI::App* report = command(*parent, "report", "Write a session's report", commandReport);
        report->add_option("SESSION", o_.session, "Name or id");
        addSessionName(report);
        report->add_option("--html", o_.html, "Write HTML to this file");
        report->add_option("--md", o_.markdown, "Write Markdown to this file");
        report->add_option("--pdf", o_.pdf, "Write PDF to this file (needs the kernelloop program)");
    }
}

void Parser::addStore()
{
    CLI::App* db = command(app_, "db", "Look after the database", nullptr);
    command(*db, "info", "Place, version and row counts", commandDbInfo);
    command(*db, "check", "Check it thoroughly", commandDbCheck);
    CLI::App* backup = command(*db, "backup", "Write a consistent copy", commandDbBackup);
    backup->add_option("FILE", o_.first, "File to write; must not exist")->required();
}

/// The word that stands where a command should: CLI11 only says that a command is missing.
std::optional<Error> unknownCommand(const CLI::App& app, int argc, const char* const* argv)
{
    const CLI::App* at = &app;
    for (int i = 1; i < argc && argv[i][0] != '-' && at->get_require_subcommand_min() > 0; ++i) {
        const CLI::App* next = nullptr;
        std::string known;
        for (const CLI::App* sub : at->get_subcommands([](const CLI::App*) { return true; })) {
            known += (known.empty() ? "" : ", ") + sub->get_name();
            if (sub->get_name() == argv[i])
                next = sub;
        }
        if (!next) {
            const std::string help = at == &app ? "kloop --help" : "kloop " + at->get_name() + " --help";
            return Error{ErrorCode::usage,
                         "There is no command \"" + std::string(argv[i]) + "\".",
                         "Commands: " + known + ". Run " + help + ".",
                         argv[i],
                         {}};
        }
        at = next;
    }
    return std::nullopt;
}

/// CLI11 exits with numbers of its own (109 …); ours are 0 for help and 2 for wrong usage.
int explain(const CLI::App& app, const CLI::ParseError& problem, const std::optional<Error>& unknown, bool json)
{
    if (problem.get_exit_code() == 0)
        return app.exit(problem);
    const Error error = unknown.value_or(Error{ErrorCode::usage, problem.what(), "Run kloop --help, or kloop COMMAND --help.", {}, {}});
    std::cerr << "kloop: " << error.message << '\n' << error.hint << '\n';
    if (json)
        std::cout << encode(errorToJson(error)) << '\n';
    return exitCode(ErrorCode::usage);
}

} // namespace

Parsed parseCommandLine(int argc, const char* const* argv)
{
    int ours = 1;
    while (ours < argc && std::strcmp(argv[ours], "--") != 0)
        ++ours;
    Parsed parsed;
    Parser parser(parsed);
    try {
        parser.app().parse(ours, argv);
    } catch (const CLI::ParseError& problem) {
        bool json = false;
        for (int i = 1; i < ours; ++i)
            json = json || std::strcmp(argv[i], "--json") == 0;
        parsed.exit = explain(parser.app(), problem, unknownCommand(parser.app(), ours, argv), json);
        return parsed;
    }
    if (ours < argc) {
        const Error error{ErrorCode::usage,
                          "This version does not run programs of yours: nothing may follow \"--\".",
                          "Measure a kernel of the catalogue: kloop profile transpose/naive.",
                          {},
                          {}};
        std::cerr << "kloop: " << error.message << '\n' << error.hint << '\n';
        if (parsed.options.json)
            std::cout << encode(errorToJson(error)) << '\n';
        parsed.exit = exitCode(error.code);
    }
    return parsed;
}

} // namespace kl
