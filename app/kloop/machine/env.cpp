// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/try.h"
#include "core/codec/run_codec.h"
#include "sessions/measure/build_recipe.h"
#include "sessions/measure/machine_check.h"
#include "sessions/measure/shell_settings.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <regex>

namespace kl::cli {
namespace {

struct EnvOptions {
    std::string torch;   ///< version that is required
    std::string project; ///< empty: kernelloop.json of this folder or one above
    bool exports = false;
    std::string arch; ///< for the exported settings
    bool fix = false;
    bool yes = false;    ///< do what can be done
    bool recipe = false; ///< print the build recipe, filled in
};

/// Where the database is, or will be made.
std::string databaseFolder(const GlobalOptions& options)
{
    const std::string file = options.db.empty() ? Store::defaultLocation() : options.db;
    return file == ":sample:" ? std::string() : std::filesystem::path(file).parent_path().string();
}

/// For CLI11: empty, or what is wrong with a list as TORCH_CUDA_ARCH_LIST has it, without names such as "Hopper".
std::string wrongArch(const std::string& list)
{
    static const std::regex kList(R"(\d+\.\d[af]?(\+PTX)?([; ]\d+\.\d[af]?(\+PTX)?)*)");
    return std::regex_match(list, kList) ? std::string() : fmt::format("\"{}\" is not a compute capability, e.g. 9.0", list);
}

/// Settings for the user's own shell; nothing is checked or changed.
Result<int> exportSettings(Program& program, const EnvOptions& options)
{
    const Result<Collector*> worker = program.device().open();
    const std::vector<ShellSetting> settings = shellSettings(worker ? &(*worker)->hello() : nullptr, options.arch);
    Json answer{{"schema", "kernelloop.shell/1"}, {"settings", Json::array()}};
    for (const ShellSetting& row : settings)
        answer["settings"].push_back({{"name", row.name}, {"value", row.known ? Json(row.value) : Json(nullptr)}, {"why", row.why}});
    if (!program.printAsJson(answer))
        printText("{}", shellScript(settings));
    return 0;
}

/// What repairs the failed checks: shown, and done as far as a command can where the user consents with --yes.
Json fixFailures(const EnvReport& report, bool doIt, std::string& text)
{
    Json list = Json::array();
    for (const Repair& repair : listRepairs(report)) {
        const bool can = !repair.command.empty();
        const bool done = doIt && runRepair(repair, [](std::string_view output) { say("{}", output); });
        list.push_back({{"check", repair.check},
                        {"command", can ? Json(repair.command) : Json(nullptr)},
                        {"text", repair.text},
                        {"result", !can    ? "by-hand"
                                   : !doIt ? "not-run"
                                   : done  ? "done"
                                           : "failed"}});
        text += fmt::format("  {:<16} {}\n", repair.check,
                            !can ? "by hand: " + repair.text
                                 : (!doIt  ? ""
                                    : done ? "done: "
                                           : "failed: ") +
                                       repair.command);
    }
    return list;
}

Result<int> checkEnvironment(Program& program, const EnvOptions& options)
{
    if (options.exports)
        return exportSettings(program, options);
    if (program.options().onSample())
        return Error{.code = ErrorCode::usage,
                     .message = "The environment check is for this machine; the sample is a recording of another one.",
                     .hint = "Omit --on. For the recorded machine, see gate G1 of a session on the sample.",
                     .where = "--on"}
            .leadTo({StepId::checkGate, {{StepArgument::gate, "G1"}}});
    const Result<const Catalog*> kernels = program.catalog();
    KL_ASSIGN(const Catalog carried,
              kernels ? Result<Catalog>(Catalog(std::vector<KernelFamily>())) : Catalog::loadEmbedded()); // enough for the smoke kernel
    EnvReport report;
    const Result<Collector*> worker = program.device().open();
    if (!worker && worker.error().code == ErrorCode::needsConsent)
        return worker.error();
    if (worker) {
        KL_ASSIGN(EnvReport answer, checkMachine(kernels ? **kernels : carried, **worker,
                                                 {options.project, options.torch, databaseFolder(program.options())}, program.job()));
        report = std::move(answer);
    } else {
        report = reportWithoutWorker(worker.error(), program.options().on && isElsewhere(*program.options().on));
    }
    if (!kernels)
        report.checks.push_back({"database", Requirement::required, CheckResult::fail, kernels.error().message,
                                 "Runs, sessions and your own kernels are stored there.", kernels.error().hint, kernels.error().next});
    Json answer = envToJson(report);
    if (report.refused)
        answer["error"] = errorToJson(*report.refused)["error"];
    std::string repairs;
    if (options.fix)
        answer["repairs"] = fixFailures(report, options.yes, repairs);
    const std::vector<RecipeStep> recipe =
        options.recipe ? buildRecipe(report, shellSettings(worker ? &(*worker)->hello() : nullptr, {})) : std::vector<RecipeStep>();
    if (options.recipe)
        answer["recipe"] = recipeToJson(recipe);
    if (!program.printAsJson(answer)) {
        printText("{}", options.recipe ? recipeMarkdown(recipe) : renderEnvironment(report));
        if (options.fix)
            printText("\n{}\n{}{}", applyTone("How to fix", Tone::strong), repairs.empty() ? "  Nothing failed.\n" : repairs,
                      repairs.empty() ? ""
                      : options.yes   ? "Run kloop env again to check the result.\n"
                                      : "Nothing was changed. To run the commands: kloop env --fix --yes\n");
        if (!report.logFile.empty())
            printText("Log: {}\n", report.logFile);
    }
    if (report.refused)
        return exitCode(report.refused->code);
    return passes(report) ? 0 : exitCode(ErrorCode::environment);
}

} // namespace

Runner addEnv(CLI::App& app)
{
    const auto o = std::make_shared<EnvOptions>();
    app.add_option("--torch", o->torch, "Version of torch that is required, e.g. 2.2.1 or 2.2.1+cu121");
    app.add_option("--project", o->project, "Project file (default: kernelloop.json in this folder or a parent folder)");
    CLI::Option* exports = app.add_flag("--export", o->exports, "Print settings for your shell: eval \"$(kloop env --export)\"");
    app.add_option("--arch", o->arch, "Compute capability to build for with --export, e.g. 9.0 (default: this GPU's)")
        ->check(wrongArch)
        ->needs(exports);
    CLI::Option* fix = app.add_flag("--fix", o->fix, "Also show how to fix each failed check")->excludes(exports);
    app.add_flag("--yes", o->yes, "With --fix, run those commands that install Python packages")->needs(fix);
    app.add_flag("--recipe", o->recipe, "Print how to build an extension here, as Markdown, filled in from the check")
        ->excludes(exports)
        ->excludes(fix);
    return [o](Program& program) { return checkEnvironment(program, *o); };
}

} // namespace kl::cli
