// SPDX-License-Identifier: MIT
#include "app/kloop/command_line.h"

#include "app/kloop/commands.h"
#include "app/kloop/common/program.h"
#include "app/kloop/mistakes.h"
#include "app/kloop/terminal/explain.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "core/codec/json.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

namespace kl::cli {
namespace {

constexpr const char* kDescription = R"(KernelLoop: measure, explain and improve CUDA kernels

Start here (--on sample works on a recording, without a GPU):
  kloop env                                          check this machine
  kloop profile transpose/naive --on sample          what limits a kernel, and what would fix it
  kloop profile -- python3 train.py                  the same for any program
  kloop analyze report.ncu-rep                       the same for an Nsight Compute report
  kloop session new NAME OBJECTIVE --kernel KERNEL   fix it step by step, verifying each step
)";

DeviceSpec readDevice(const std::string& text)
{
    Result<DeviceSpec> device = parseDeviceSpec(text);
    if (!device)
        throw CLI::ValidationError("--on", device.error().message + ' ' + device.error().hint);
    return std::move(*device);
}

void addGlobalOptions(CLI::App& app, GlobalOptions& options)
{
    app.set_version_flag("--version", std::string("kloop ") + KL_VERSION);
    app.add_flag("--json", options.json, "Print the output as JSON");
    app.add_flag("--timings", options.timings, "Print a breakdown of the time to standard error; with --json, include it in the output");
    app.add_option("--db", options.db,
                   "Database file; :sample: for the sample database, :documents: for the sample with its documents' history (default: "
                   "$KERNELLOOP_DB, else your own)");
    app.add_option("--tree", options.tree,
                   "Diagnosis tree to use (default: $XDG_CONFIG_HOME/kernelloop/diagnosis-tree.json if it exists, else the built-in one, "
                   "which is also :default:)");
    app.add_option_function<std::string>(
           "--on", [&options](const std::string& text) { options.on = readDevice(text); },
           "Device: local (this machine's first GPU), local:INDEX or local:GPU-UUID (another one; a UUID prefix is enough), "
           "ssh:HOST or ssh:HOST:GPU (of another machine; a list ssh:A,ssh:B is tried in order), slurm:PARTITION[,OPTION=VALUE]... (in a "
           "Slurm job, with sbatch options and workers=COUNT), several joined by + (batches are spread over them), or sample (a "
           "recording; needs no GPU)")
        ->type_name("DEVICE");
    app.add_flag("--trust", options.trust, "Trust the commands in files (a project's build, a reference script): run and remember them");
}

/// How many words come before "--" and the program behind it.
int ownWords(int argc, const char* const* argv)
{
    int ours = 1;
    while (ours < argc && std::strcmp(argv[ours], "--") != 0)
        ++ours;
    return std::min(ours, argc);
}

/// CLI11 exits with numbers of its own (109 …); ours are 0 for help and 2 for wrong usage.
int explainParse(const CLI::App& app, const CLI::ParseError& problem, const std::vector<const char*>& words)
{
    const int count = static_cast<int>(words.size());
    const bool help = problem.get_exit_code() == 0; // which has to be about a command that exists
    const std::optional<Error> unknown = help ? unknownCommandIn(app, count, words.data()) : std::nullopt;
    if (help && !unknown) {
        std::ostringstream out;
        const int code = app.exit(problem, out);
        printRaw(out.str());
        return code;
    }
    const Error error = unknown ? *unknown : mistakeIn(app, count, words.data(), problem.what());
    say("kloop: {}\n{}\n", error.message, error.hint);
    if (asksForJson(count, words.data()))
        printJson(encode(errorToJson(error)));
    return exitCode(ErrorCode::usage);
}

/// Only these take a program after "--".
std::optional<Error> findMisplacedProgram(const CLI::App& app, const GlobalOptions& options)
{
    constexpr const char* kExample = "For example: kloop profile -- python3 train.py";
    if (!options.program)
        return std::nullopt;
    if (!app.get_subcommand("profile")->parsed() && !app.get_subcommand("lift")->parsed())
        return Error{
            .code = ErrorCode::usage, .message = "Only `kloop profile` and `kloop lift` take a program after \"--\".", .hint = kExample};
    if (options.program->empty())
        return Error{.code = ErrorCode::usage, .message = "No program follows \"--\".", .hint = kExample};
    return std::nullopt;
}

} // namespace

bool asksForJson(int argc, const char* const* argv)
{
    return std::any_of(argv, argv + ownWords(argc, argv), [](const char* word) { return std::strcmp(word, "--json") == 0; });
}

CommandLine readCommandLine(int argc, const char* const* argv)
{
    const int ours = ownWords(argc, argv);
    std::vector<const char*> words(argv, argv + ours);
    if (words.size() > 1 && std::strcmp(words[1], "help") == 0) { // like git: kloop help session new
        words.erase(words.begin() + 1);
        words.push_back("--help");
    }
    CommandLine line;
    const auto app = std::make_shared<CLI::App>(kDescription, "kloop");
    app->fallthrough();
    app->failure_message(CLI::FailureMessage::simple);
    addGlobalOptions(*app, line.options);
    const Runner run = addCommands(*app, commands());
    try {
        app->parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::ParseError& problem) {
        line.exit = explainParse(*app, problem, words);
        return line;
    }
    if (ours < argc)
        line.options.program.emplace(argv + ours + 1, argv + argc);
    if (const std::optional<Error> error = findMisplacedProgram(*app, line.options))
        line.exit = explain(*error, line.options.json);
    line.run = [app, run](Program& program) { // which asks `app` what was named
        if (const std::optional<DeviceSpec>& on = program.options().on; on && *on != DeviceSpec::local())
            measureStepsOn(toText(*on));
        keepStepsIn(program.options().db);
        forgetFamilyPaths();
        return run(program);
    };
    return line;
}

} // namespace kl::cli
