// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/session/session_verbs.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/engine/session_preview.h"
#include "sessions/session/claims.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct SessionNewOptions {
    std::string name;
    std::string objective;
    std::string kind = "optimize";
    std::string kernel;
    std::vector<std::string> answers; ///< "target-gpu=H200"
    std::vector<std::string> claims;  ///< "source=…,figure=…"
    bool cumulative = false;
    std::optional<bool> git;
    std::optional<double> budget; ///< minutes
    bool preview = false;
    std::vector<std::string> problems;
};

Result<std::map<std::string, std::string>> collectAnswers(const std::vector<std::string>& texts)
{
    std::map<std::string, std::string> answers;
    for (const std::string& text : texts) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error{.code = ErrorCode::usage,
                         .message = fmt::format("\"{}\" is not QUESTION=ANSWER.", text),
                         .hint = "Questions: target-gpu, baseline, tools, smallest-size, success-criteria.",
                         .where = "--answer"};
        answers[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return answers;
}

Result<int> showPreview(Program& program, const NewSession& request)
{
    KL_ASSIGN(auto* bench, program.bench());
    KL_ASSIGN(const SessionPreview preview, previewSession(request, *bench));
    if (program.printAsJson(previewToJson(preview)))
        return 0;
    printText("{}\n  {}, {} at {}, {}\n", applyTone(preview.title, Tone::strong), preview.kind, toText(preview.start),
              toText(preview.problem), formatMinutes(preview.budgetMinutes));
    for (const StagePreview& stage : preview.stages) {
        printText("\n{} ({})\n", applyTone(stage.title, Tone::strong), formatMinutes(stage.budgetMinutes));
        for (const std::string& step : stage.steps)
            printText("  {}\n", step);
        for (const GatePreview& gate : stage.gates)
            printText("  {} {}: {}\n", gate.id, gate.title, gate.rule);
    }
    for (const std::string& caveat : preview.caveats)
        printText("\n{} {}\n", applyTone("Caveat:", Tone::bad), caveat);
    if (!preview.missing.empty())
        printText("\n{} {}\n", applyTone("Not recorded:", Tone::bad), preview.missing);
    return 0;
}

Result<int> openSession(Program& program, const SessionNewOptions& options)
{
    const Result<Params> problem = oneProblem(options.problems);
    const auto answers = collectAnswers(options.answers);
    if (!problem || !answers)
        return problem ? answers.error() : problem.error();
    NewSession request{options.name, options.objective,  options.kind, options.kernel, *problem, *answers,
                       {},           options.cumulative, options.git,  options.budget};
    for (const std::string& text : options.claims) {
        KL_ASSIGN(Claim claim, parseClaim(text));
        request.claims.push_back(std::move(claim));
    }
    // A session that cannot measure anything is not opened: --on sample is better suggested now than at its first step.
    if (const std::optional<Error> unusable = program.device().unusable())
        return *unusable;
    KL_ASSIGN(std::string kernel, program.registerKernelPath(options.kernel));
    request.kernel = std::move(kernel);
    KL_ASSIGN(auto* engine, program.engine());
    if (options.preview)
        return showPreview(program, request);
    KL_ASSIGN(const SessionView view, engine->create(request));
    return answerWith(program, view, false);
}

} // namespace

Runner addSessionNew(CLI::App& app)
{
    const auto o = std::make_shared<SessionNewOptions>();
    app.add_option("NAME", o->name, "Name, e.g. N+6")->required()->check(notBlank);
    app.add_option("OBJECTIVE", o->objective, "Goal of the session, in one sentence")->required()->check(notBlank);
    app.add_option("--kind", o->kind, "Kind of session; kloop session kinds lists them")->capture_default_str();
    app.add_option("--kernel", o->kernel, "Family, family/variant to start from, or the path of a kernel.json or kernelloop.json")
        ->required();
    addRepeated(app, "--answer", o->answers, "Answer to an opening question, e.g. target-gpu=H200");
    addRepeated(app, "--claim", o->claims, "A claim to test, e.g. \"source=README of flash-x,figure=1.5x\"");
    app.add_flag("--cumulative", o->cumulative,
                 "Set small proven steps aside and keep them together once their combined speedup is worth it");
    app.add_flag_callback(
        "--git", [o] { o->git = true; }, "Commit a kept edit of your source to git, with the measurements");
    app.add_option("--budget", o->budget, "Minutes for the whole session; its stages keep their shares")->check(positiveNumber);
    app.add_flag("--preview", o->preview, "Show what the session would do, and what the recording lacks for it; nothing is opened");
    addProblems(app, o->problems, "Sizes, e.g. M=4096,N=4096");
    app.footer("Without a GPU: kloop session new N+1 \"Coalesce the stores\" --kernel transpose --on sample");
    return [o](Program& program) { return openSession(program, *o); };
}

} // namespace kl::cli
