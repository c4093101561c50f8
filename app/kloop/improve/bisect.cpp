// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/try.h"
#include "core/device/arch.h"
#include "kernels/user_kernel.h"
#include "sessions/bisect/kernel_bisect.h"
#include "sessions/subject/program_bisect.h"
#include "sessions/target/target_family.h"
#include "sessions/target/target_file.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct BisectOptions {
    std::string kernel;
    std::string good;
    std::string bad = "HEAD";
    bool builds = false;
    bool incorrect = false;
    double slowerThan = 0; ///< 0: not given
    std::string arch = "sm_90";
    std::vector<std::string> problems;
};

namespace fs = std::filesystem;

constexpr int kInconclusive = 3;

struct Bisected {
    fs::path descriptor; ///< absolute
    Address kernel;      ///< without a variant: the first
};

/// A path is not read here: what lies on disk may be the very thing that does not build.
Result<Bisected> parseBisected(Program& program, const std::string& text)
{
    if (const std::optional<KernelPath> path = kernelPathIn(text)) {
        const bool noVariant = path->rest.empty() || path->rest.front() == '@';
        KL_ASSIGN(Address kernel, parseAddress((noVariant ? "kernel" : "kernel/") + path->rest));
        return Bisected{descriptorAt(path->path), std::move(kernel)};
    }
    KL_ASSIGN(Address kernel, program.kernel(text));
    KL_ASSIGN(const Catalog* kernels, program.catalog());
    KL_ASSIGN(const KernelFamily* family, kernels->family(kernel.family));
    if (family->origin.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is built into KernelLoop: it has no history here.", text),
                     .hint = "Give the path of your own kernel, e.g. ./scale/kernel.json.",
                     .where = text};
    return Bisected{family->origin.descriptor, std::move(kernel)};
}

const char* titleFor(BisectQuestion::About about)
{
    switch (about) {
    case BisectQuestion::About::builds: return "builds";
    case BisectQuestion::About::wrong: return "wrong";
    case BisectQuestion::About::slower: break;
    }
    return "slower";
}

Json composeAnswer(const BisectQuestion& question, const BisectResult& result)
{
    Json judged = Json::array();
    for (const JudgedRevision& row : result.judged)
        judged.push_back(
            {{"commit", row.commit}, {"subject", row.subject}, {"state", toWord(row.judgment.state)}, {"seen", row.judgment.seen}});
    const bool slower = question.about == BisectQuestion::About::slower;
    return {{"schema", "kernelloop.bisect/1"},
            {"question", titleFor(question.about)},
            {"slower_than", slower ? Json(question.ratio) : Json(nullptr)},
            {"found", result.firstBad.size() == 1},
            {"first_bad", result.firstBad},
            {"judged", judged}};
}

std::string subjectIn(const BisectResult& result, const std::string& commit)
{
    for (const JudgedRevision& row : result.judged)
        if (row.commit == commit)
            return row.subject;
    return {};
}

void print(const BisectResult& result)
{
    Table table({"Commit", "", "Message", "Result"});
    for (const JudgedRevision& row : result.judged)
        table.add({row.commit.substr(0, 12), toWord(row.judgment.state), row.subject, row.judgment.seen});
    printText("{}\n", table.text("  "));
    printText("{}\n", result.firstBad.size() == 1 ? "First bad commit:" : "Commits were skipped; the first bad one is one of:");
    for (const std::string& commit : result.firstBad)
        printText("  {} {}\n", commit, subjectIn(result, commit));
}

Result<BisectQuestion> makeBisectQuestion(const BisectOptions& requested)
{
    KL_ASSIGN(const GpuArch arch, findArch(requested.arch));
    BisectQuestion question;
    question.about = requested.builds      ? BisectQuestion::About::builds
                     : requested.incorrect ? BisectQuestion::About::wrong
                                           : BisectQuestion::About::slower;
    question.ratio = requested.slowerThan;
    question.arch = arch.target;
    return question;
}

/// The program that an address or a path means; unset for a kernel.
Result<std::optional<KernelFamily>> programIn(Program& program, const std::string& text)
{
    if (const std::optional<KernelPath> path = kernelPathIn(text)) {
        const std::optional<fs::path> file = targetFileAt(path->path);
        if (!file)
            return std::optional<KernelFamily>{};
        KL_ASSIGN(KernelFamily family, loadFamily(*file));
        return std::optional<KernelFamily>(std::move(family));
    }
    KL_ASSIGN(const Address address, parseAddress(text));
    KL_ASSIGN(const Catalog* kernels, program.catalog());
    const Result<const KernelFamily*> family = kernels->family(address.family);
    return family && (*family)->isProgram() ? std::optional<KernelFamily>(**family) : std::nullopt; // else kernels say what is wrong
}

Result<BisectResult> searchHistory(Program& program, const KernelFamily& family, const BisectOptions& options, const Params& problem)
{
    if (options.slowerThan > 0)
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("{} is a program: only failed builds and incorrect results can be bisected.", family.id),
                     .hint = "Use --builds or --incorrect. To find a slowdown, open a session and compare an edit.",
                     .where = "--slower-than"};
    KL_ASSIGN(Workbench * bench, program.bench());
    return bisectProgram(*bench, family, {options.good, options.bad, {options.builds, {family.id, kProgramVariant, {}}, problem}},
                         program.job());
}

int answer(Program& program, const BisectQuestion& question, const BisectResult& result)
{
    if (!program.printAsJson(composeAnswer(question, result)))
        print(result);
    return result.firstBad.size() == 1 ? 0 : kInconclusive;
}

Result<int> runBisect(Program& program, const BisectOptions& options)
{
    KL_ASSIGN(const Params problem, oneProblem(options.problems));
    KL_ASSIGN(const std::optional<KernelFamily> family, programIn(program, options.kernel));
    if (family) {
        KL_ASSIGN(const BisectQuestion question, makeBisectQuestion(options));
        KL_ASSIGN(const BisectResult result, searchHistory(program, *family, options, problem));
        return answer(program, question, result);
    }
    KL_ASSIGN(const Bisected subject, parseBisected(program, options.kernel));
    KL_ASSIGN(BisectQuestion requested, makeBisectQuestion(options));
    BisectQuestion& question = requested;
    question.kernel = subject.kernel;
    question.problem = problem;
    KL_ASSIGN(auto* bare, program.device().open()); // compiling needs no GPU
    Collector& collector = question.about == BisectQuestion::About::builds ? *bare : program.device();
    KL_ASSIGN(const BisectResult result, bisectKernel(collector, {subject.descriptor, options.good, options.bad, question}, program.job()));
    return answer(program, question, result);
}

} // namespace

Runner addBisect(CLI::App& app)
{
    const auto o = std::make_shared<BisectOptions>();
    app.add_option("KERNEL", o->kernel, "Path of its kernel.json or kernelloop.json, or its name")->required();
    app.add_option("--good", o->good, "Revision that was correct, was fast or compiled")->required();
    app.add_option("--bad", o->bad, "Revision that is not")->capture_default_str();
    CLI::Option_group* question = app.add_option_group("Question", "What makes a revision bad");
    question->add_flag("--builds", o->builds, "It does not compile; needs no GPU");
    question->add_flag("--incorrect", o->incorrect, "Its results are incorrect at a size of its correctness suite, or on --problem");
    question->add_option("--slower-than", o->slowerThan, "It takes more than this multiple of the good revision's time, e.g. 1.1")
        ->check(CLI::Range(1.0, 1000.0))
        ->check(finiteNumber);
    question->require_option(1);
    app.add_option("--arch", o->arch, "Architecture for --builds")->capture_default_str();
    addProblems(app, o->problems, "Sizes, e.g. N=4096");
    app.footer("git bisect does the search, in a temporary worktree: your files do not change. Commits that cannot be judged are skipped.\n"
               "Exit status 0: one commit was found; 3: it is one of several, because those between were skipped.");
    return [o](Program& program) { return runBisect(program, *o); };
}

} // namespace kl::cli
