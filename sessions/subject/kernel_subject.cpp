// SPDX-License-Identifier: MIT
#include "sessions/subject/kernel_subject.h"

#include "core/base/try.h"
#include "kernels/user_kernel.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/bisect/revision_judge.h"
#include "sessions/measure/requests.h"
#include "sessions/search/best_point.h"

#include <filesystem>
#include <fmt/format.h>

namespace kl::inline subjects {

namespace fs = std::filesystem;

Result<EnvReport> KernelSubject::environment(const Job& job)
{
    return bench_.environment(job);
}

Result<SubjectBuild> KernelSubject::build(const Address& variant, const Params& problem, const Job& job)
{
    KL_ASSIGN(WorkSpec work, bench_.catalog().work(variant, problem, toChip(bench_.collector())));
    KL_ASSIGN(const CompileAnswer answer, compile(bench_.collector(), {std::move(work)}, job));
    return SubjectBuild{answer.status, answer.reason, answer.log, answer.arch, answer.seconds};
}

Result<RunRecord> KernelSubject::run(const Address& variant, const Params& problem, bool suite, const Job& job)
{
    // A suite asks whether the code is correct, on inputs that it was not tuned for; a recording has one kind of inputs.
    const bool fresh = suite && bench_.collector().source() == Source::live;
    return bench_.run(variant, problem, suite, job, fresh ? std::optional(freshSeed()) : std::nullopt);
}

Result<RunRecord> KernelSubject::profile(const Address& variant, const Params& problem, const std::string& report, const Job& job)
{
    if (!report.empty())
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("{} is profiled by KernelLoop itself; it takes no report.", toText(variant)),
                     .hint = "Step without one. Reports are for the target of a program.",
                     .where = report};
    return bench_.profile(variant, problem, kSessionTier, job);
}

Result<FailingCase> KernelSubject::findFailing(const Address& variant, const Job& job)
{
    return findFailingCase(bench_, variant, family_, job);
}

Result<FoundPoint> KernelSubject::search(const Address& variant, const Params& problem, double budgetSeconds, const Job& job)
{
    KL_ASSIGN(const Variant* searched, bench_.catalog().variant(variant));
    LoopPlan plan;
    plan.protocol = "session";
    plan.tune.budgetSeconds = budgetSeconds;
    plan.confirmations = 0; // the session compares and profiles by itself
    plan.diagnosed = false;
    KL_ASSIGN(const BestPoint best, findBest(bench_, {&family_, searched, {}, problem}, plan, job));
    if (!best.run)
        return Error{.code = ErrorCode::kernelFailed,
                     .message = fmt::format("No point of {} that was measured is correct on the whole suite.", toText(variant)),
                     .where = toText(variant)};
    return FoundPoint{best.run->kernel, best.record, static_cast<int>(best.tuned.points.size()), best.tuned.seconds};
}

Result<Comparison> KernelSubject::compare(const Address& a, const Address& b, const Params& problem, double keepAt, const Job& job)
{
    return bench_.ab(a, b, problem, keepAt, job);
}

Result<Comparison> KernelSubject::compareEdit(const KernelFiles& before, const Address& variant, const Params& problem, double keepAt,
                                              const Job& job)
{
    KL_ASSIGN(KernelFamily family, loadKernel(before.descriptor, before.texts));
    Catalog catalog = bench_.catalog();
    KL_TRY(catalog.add(std::move(family)));
    return bench_.runEditAb(catalog, variant, problem, keepAt, job);
}

Result<std::vector<SanitizerCheck>> KernelSubject::sanitize(const Address& variant, const Params& problem,
                                                            const std::vector<std::string>& tools, const Job& job)
{
    KL_ASSIGN(const WorkSpec work, bench_.catalog().work(variant, problem, toChip(bench_.collector())));
    const std::string source = chooseSourceName(bench_.catalog(), variant);
    if (bench_.collector().source() != Source::live)
        return findRecordedChecks(bench_.collector(), work, tools, source, job);
    return kl::sanitize(work, tools, source, describeDevice(bench_.collector()), job);
}

std::string KernelSubject::historyFile() const
{
    return family_.origin.descriptor;
}

JudgeRevision KernelSubject::judge(const RevisionQuestion& question, const std::string& root, const Job& job)
{
    BisectQuestion bisectQuestion;
    bisectQuestion.about = question.builds ? BisectQuestion::About::builds : BisectQuestion::About::wrong;
    bisectQuestion.descriptor = fs::weakly_canonical(family_.origin.descriptor).lexically_relative(fs::weakly_canonical(root)).string();
    bisectQuestion.kernel = question.variant;
    bisectQuestion.problem = question.problem;
    if (const DeviceInfo* device = findMeasuredDevice(bench_.collector().hello()))
        bisectQuestion.arch = formatArch(*device);
    return [judge = RevisionJudge(bench_.collector(), bisectQuestion), &job](const std::string& tree) mutable {
        return judge.judge(tree, job);
    };
}

} // namespace kl::inline subjects
