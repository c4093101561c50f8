// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/streams.h"
#include "app/kloop/table.h"
#include "core/device/arch.h"
#include "kernels/user_kernel.h"
#include "sessions/bisect/revision_judge.h"
#include "sessions/edit/git.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

namespace fs = std::filesystem;

constexpr int kInconclusive = 3;

struct Bisected {
    fs::path descriptor; ///< absolute
    Address kernel;      ///< without a variant: the first
};

/// A path is not read here: what lies on disk may be the very thing that does not build.
Result<Bisected> subjectOf(Program& program, const std::string& text)
{
    if (const std::optional<KernelPath> path = kernelPathIn(text)) {
        const bool noVariant = path->rest.empty() || path->rest.front() == '@';
        Result<Address> kernel = parseAddress((noVariant ? "kernel" : "kernel/") + path->rest);
        if (!kernel)
            return kernel.error();
        return Bisected{descriptorAt(path->path), std::move(*kernel)};
    }
    Result<Address> kernel = program.kernel(text);
    if (!kernel)
        return kernel.error();
    const Result<const Catalog*> kernels = program.catalog();
    if (!kernels)
        return kernels.error();
    const Result<const KernelFamily*> family = (*kernels)->family(kernel->family);
    if (!family)
        return family.error();
    if ((*family)->origin.empty())
        return Error{ErrorCode::badInput,
                     fmt::format("{} comes with KernelLoop: it has no history here.", text),
                     "Give the path of a kernel of yours: kloop bisect ./scale/kernel.json --good REV --wrong",
                     text,
                     {}};
    return Bisected{(*family)->origin.descriptor, std::move(*kernel)};
}

const char* toWord(RevisionState state)
{
    return state == RevisionState::good ? "good" : state == RevisionState::bad ? "bad" : "skipped";
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

Json answerOf(const BisectQuestion& question, const BisectResult& result)
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
    Table table({"commit", "", "message", "seen"});
    for (const JudgedRevision& row : result.judged)
        table.add({row.commit.substr(0, 12), toWord(row.judgment.state), row.subject, row.judgment.seen});
    printText("{}\n", table.text("  "));
    printText("{}\n",
              result.firstBad.size() == 1 ? "The first bad commit is" : "Commits between were skipped; the first bad one is one of");
    for (const std::string& commit : result.firstBad)
        printText("  {} {}\n", commit, subjectIn(result, commit));
}

Result<BisectQuestion> questionOf(const BisectOptions& asked)
{
    const Result<GpuArch> arch = archNamed(asked.arch);
    if (!arch)
        return arch.error();
    BisectQuestion question;
    question.about = asked.builds  ? BisectQuestion::About::builds
                     : asked.wrong ? BisectQuestion::About::wrong
                                   : BisectQuestion::About::slower;
    question.ratio = asked.slowerThan;
    question.arch = arch->target;
    return question;
}

} // namespace

Result<int> commandBisect(Program& program, const Options& options)
{
    const Result<Params> problem = oneProblem(options);
    if (!problem)
        return problem.error();
    const Result<Bisected> subject = subjectOf(program, options.first);
    if (!subject)
        return subject.error();
    const std::string folder = subject->descriptor.parent_path().string();
    const Result<std::optional<GitTree>> tree = gitTreeOf(folder);
    if (!tree)
        return tree.error();
    Result<BisectQuestion> asked = questionOf(options.bisect);
    if (!asked)
        return asked.error();
    BisectQuestion& question = *asked;
    question.kernel = subject->kernel;
    question.problem = *problem;
    if (*tree)
        question.descriptor = fs::weakly_canonical(subject->descriptor).lexically_relative(fs::weakly_canonical((*tree)->root)).string();
    const Result<Collector*> bare = program.device().open(); // compiling needs no GPU
    if (!bare)
        return bare.error();
    Collector& collector = question.about == BisectQuestion::About::builds ? **bare : program.device();
    RevisionJudge judge(collector, question);
    const Job job = program.job();
    const Result<BisectResult> result = bisectRevisions(
        folder, options.bisect.good, options.bisect.bad, [&](const std::string& root) { return judge.judge(root, job); }, job);
    if (!result)
        return result.error();
    if (!program.printed(answerOf(question, *result)))
        print(*result);
    return result->firstBad.size() == 1 ? 0 : kInconclusive;
}

} // namespace kl
