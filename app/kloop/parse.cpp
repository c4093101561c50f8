// SPDX-License-Identifier: MIT
#include "app/kloop/parse.h"

#include "app/kloop/commands.h"
#include "app/kloop/explain.h"
#include "app/kloop/parse_baselines.h"
#include "app/kloop/parse_bisect.h"
#include "app/kloop/parse_calc.h"
#include "app/kloop/parse_completion.h"
#include "app/kloop/parse_import.h"
#include "app/kloop/parse_kernels.h"
#include "app/kloop/parse_learning.h"
#include "app/kloop/parse_mistake.h"
#include "app/kloop/parse_profile.h"
#include "app/kloop/parse_program.h"
#include "app/kloop/parse_report.h"
#include "app/kloop/parse_session.h"
#include "app/kloop/parse_space.h"
#include "app/kloop/parse_trust.h"
#include "app/kloop/streams.h"
#include "core/codec/json.h"
#include "profiler/device/device_spec.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <cstring>
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

std::string deviceName(const std::string& text)
{
    const Result<DeviceSpec> device = parseDeviceSpec(text);
    return device ? std::string() : device.error().message + ' ' + device.error().hint;
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
        app_.add_flag("--timings", o_.timings, "Say on standard error where the time went; with --json in the answer, too");
        app_.add_option("--db", o_.db, "Database file; :sample: for the sample database (default: $KERNELLOOP_DB, else your own)");
        app_.add_option(
            "--tree", o_.profile.tree,
            "Diagnosis tree of your own (default: $XDG_CONFIG_HOME/kernelloop/diagnosis-tree.json, if it is there); :default: for the "
            "program's own");
        app_.add_option(
                "--on", o_.on,
                "Device: local (this machine's first GPU), local:INDEX or local:GPU-UUID (another one; the beginning of the UUID is "
                "enough), or sample (a recording, no GPU needed)")
            ->check(deviceName)
            ->type_name("TEXT:{local,sample}");
        addMeasuring();
        addImportCommands(app_, parsed_);
        addJudging();
        addSessionCommands(app_, parsed_);
        addReportCommands(app_, parsed_);
        addLearningCommands(app_, parsed_);
        addCalculators(app_, parsed_);
        addSpaceCommands(app_, parsed_);
        addTrust(app_, parsed_);
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

    void addMeasuring();
    void addJudging();
    void addStore();

    Parsed& parsed_;
    Options& o_;
    CLI::App app_{"KernelLoop: measure, explain and improve CUDA kernels", "kloop"};
};

void Parser::addMeasuring()
{
    CLI::App* env = command(app_, "env", "Check this machine: driver, permissions, libraries, a smoke kernel", commandEnv);
    env->add_option("--torch", o_.calc.requiredTorch, "Version of torch that is required, as 2.2.1 or 2.2.1+cu121");
    env->add_option("--project", o_.calc.project, "Project file (default: kernelloop.json of this folder or of one above it)");
    addKernelCommands(app_, parsed_);
    CLI::App* run = command(app_, "run", "Check a kernel against its reference, time it and its baseline", commandRun);
    run->footer(
        "A result is correct or one of: incorrect, incorrect-when-timed (only timed passes are wrong), stateful (keeps undeclared state),\n"
        "replays (gives an earlier answer), non-deterministic, below-physics (faster than the device can be), precision-downgrade.\n"
        "Anything but correct has no valid time and ends with exit code 1. docs/kernels.md explains each.");
    run->add_option("KERNEL", o_.first, "family/variant, as transpose/naive")->required();
    run->add_flag("--suite", o_.suite, "Check every size of the correctness suite first");
    run->add_option("--seed", o_.seed,
                    "Of the random inputs: a number, or fresh (default: fresh where the suite is checked on a GPU, else 1)");
    addProblem(run);
    addBaselineCommands(app_, parsed_, *run);
    addProfileCommands(app_, parsed_);
    CLI::App* ab = command(app_, "ab", "Measure two variants in alternating blocks", commandAb);
    ab->add_option("A", o_.first, "family/variant")->required();
    ab->add_option("B", o_.second, "family/variant")->required();
    ab->add_option("--keep-at", o_.keepAt,
                   "Least old / new time that keeps B, as 1.2: exit 0 then says that B is kept (default: a plain comparison)")
        ->check(CLI::Range(1.0, 100.0));
    addProblem(ab);
    addBisect(app_, parsed_);
    CLI::App* calibrate = command(app_, "calibrate", "Measure this device's A/A noise: kernels against themselves", commandCalibrate);
    calibrate->add_option("KERNEL", o_.kernels, "family/variant or family (default: the first variant of every family)");
    calibrate->add_option("--repeats", o_.repeats, "A/A comparisons of each kernel (default: 5)")->check(CLI::Range(1, 1000));
    addProblem(calibrate);
    CLI::App* record = command(app_, "record", "For developers: record everything that the sample holds", commandRecord);
    record->add_option("FILE", o_.first, "Capture to write")->required();
    record->add_option("--only", o_.only, "Record one family");
    record
        ->add_option(
            "--part", o_.parts,
            "Record this part alone (several: machine, runs, profiles, noise, pairs, baselines); the rest of an existing FILE is kept")
        ->check(CLI::IsMember({"machine", "runs", "profiles", "noise", "pairs", "baselines"}));
    record->add_option("--tier", o_.tiers, "Profiles of this tier alone (several: 0, 1, 2)")->check(CLI::Range(0, 2));
    record->add_flag("--everywhere", o_.everywhere,
                     "Suite, all tiers and A/B on every problem; else on the first one of a family, with a profile of the others");
}

void Parser::addJudging()
{
    CLI::App* tree =
        command(app_, "tree", "The diagnosis tree: its questions, thresholds and classes; with --json its data file, to edit", commandTree);
    tree->add_flag("--names", o_.profile.treeNames, "What a tree may name: quantities, words of its sentences, estimates, classes");
    tree->footer("A team's own, to begin with:\n  mkdir -p ~/.config/kernelloop\n"
                 "  kloop --tree :default: tree --json > ~/.config/kernelloop/diagnosis-tree.json\n"
                 "or --tree FILE with any command that diagnoses. Its format: docs/diagnosis-tree.md.");
    CLI::App* confusion =
        command(app_, "confusion", "How often the diagnosis finds the class planted in the catalog's kernels", commandConfusion);
    confusion->add_option("FILE", o_.kernels, "What `kloop profile --json` wrote; without, every labeled kernel is profiled");
    confusion
        ->add_option("--unseen", o_.profile.unseen,
                     "Profiles of sizes that no threshold was tuned on (tests/data/unseen), judged apart; may be given several times")
        ->allow_extra_args(false);
    confusion->add_option("--ncu", o_.profile.ncuRules, "What Nsight Compute's rules said of them (tests/bench/ncu_rules.py), to compare");
    confusion->add_option("--markdown", o_.profile.markdown, "Write the tables to this file, too");
    CLI::App* decide = command(app_, "decide", "What the method says to do at this speedup", commandDecide);
    decide->add_option("SPEEDUP", o_.speedup, "Baseline time / kernel time")->required()->check(positive);
    decide->add_option("KERNEL_MS", o_.kernelMs, "Kernel time in milliseconds")->required()->check(positive);
    CLI::App* compare = command(app_, "compare", "Compare two stored runs", commandCompare);
    compare->add_option("A", o_.first, "run:ID or the start of one, or family/variant for its newest run")->required();
    compare->add_option("B", o_.second, "run:ID or the start of one, or family/variant for its newest run")->required();
    compare->add_option("--waive", o_.reason, "Compare across devices, drivers or clocks all the same; say why")->check(notBlank);
    addProblem(compare);
    command(app_, "version", "Print the program's version", commandVersion);
    addCompletion(app_, parsed_);
}

void Parser::addStore()
{
    CLI::App* db = command(app_, "db", "Look after the database", nullptr);
    command(*db, "info", "Place, version and row counts", commandDbInfo);
    command(*db, "check", "Check it thoroughly", commandDbCheck);
    CLI::App* backup = command(*db, "backup", "Write a consistent copy", commandDbBackup);
    backup->add_option("FILE", o_.first, "File to write; must not exist")->required();
}

/// CLI11 exits with numbers of its own (109 …); ours are 0 for help and 2 for wrong usage.
int explain(const CLI::App& app, const CLI::ParseError& problem, const std::vector<const char*>& words, bool json)
{
    const int count = static_cast<int>(words.size());
    const bool asked = problem.get_exit_code() == 0; // for help, which has to be about a command that there is
    const std::optional<Error> unknown = asked ? unknownCommandIn(app, count, words.data()) : std::nullopt;
    if (asked && !unknown)
        return app.exit(problem);
    const Error error = unknown ? *unknown : mistakeIn(app, count, words.data(), problem.what());
    say("kloop: {}\n{}\n", error.message, error.hint);
    if (json)
        printJson(encode(errorToJson(error)));
    return exitCode(ErrorCode::usage);
}

} // namespace

std::string notBlank(const std::string& text)
{
    return text.find_first_not_of(" \t\n") == std::string::npos ? "say it in a few words" : std::string();
}

Parsed parseCommandLine(int argc, const char* const* argv)
{
    int ours = 1;
    while (ours < argc && std::strcmp(argv[ours], "--") != 0)
        ++ours;
    std::vector<const char*> words(argv, argv + ours);
    if (words.size() > 1 && std::strcmp(words[1], "help") == 0) { // as git has it: kloop help session new
        words.erase(words.begin() + 1);
        words.push_back("--help");
    }
    Parsed parsed;
    Parser parser(parsed);
    try {
        parser.app().parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::ParseError& problem) {
        const bool json = std::any_of(words.begin(), words.end(), [](const char* word) { return std::strcmp(word, "--json") == 0; });
        parsed.exit = explain(parser.app(), problem, words, json);
        return parsed;
    }
    const bool program = ours < argc;
    if (const auto error = takeProgram(parsed, program, {argv + std::min(ours + 1, argc), argv + argc}))
        parsed.exit = explain(*error, parsed.options.json);
    return parsed;
}

} // namespace kl
