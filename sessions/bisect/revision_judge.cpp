// SPDX-License-Identifier: MIT
#include "sessions/bisect/revision_judge.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/stats/mismatch_text.h"
#include "core/stats/ratio_text.h"
#include "kernels/user_kernel.h"
#include "profiler/protocol/build_request.h"
#include "profiler/protocol/message_codec.h"
#include "sessions/measure/compare.h"
#include "sessions/measure/failed_run.h"
#include "sessions/measure/requests.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline bisection {
namespace {

using About = BisectQuestion::About;

std::string firstError(const std::string& log)
{
    const std::size_t error = log.find("error");
    if (error == std::string::npos)
        return {};
    const std::size_t begin = log.rfind('\n', error) + 1; // npos + 1 is 0
    return log.substr(begin, log.find('\n', error) - begin);
}

Judgment skipRevision(std::string why)
{
    return {RevisionState::skip, std::move(why)};
}

/// The kernel as the revision has it.
Result<Catalog> kernelBelow(const std::string& root, const std::string& descriptor)
{
    KL_ASSIGN(KernelFamily family, loadKernel(std::filesystem::path(root) / descriptor));
    std::vector<KernelFamily> families;
    families.push_back(std::move(family));
    return Catalog(std::move(families));
}

constexpr int kPassesChecked = 40;

} // namespace

Result<Judgment> RevisionJudge::judge(const std::string& root, const Job& job)
{
    std::error_code failure;
    if (!std::filesystem::exists(std::filesystem::path(root) / question_.descriptor, failure))
        return skipRevision(fmt::format("there is no {}", question_.descriptor));
    const Result<Catalog> kernels = kernelBelow(root, question_.descriptor);
    Result<WorkSpec> work = Error{};
    if (kernels) {
        const KernelFamily& family = kernels->families().front();
        question_.kernel.family = family.id; // it may have had another
        if (question_.kernel.variant.empty())
            question_.kernel.variant = family.variants.front().id;
        work = kernels->work(question_.kernel, question_.problem);
    }
    if (!kernels || !work)
        return skipRevision(kernels ? work.error().message : kernels.error().message);
    if (question_.about == About::builds)
        return builds(std::move(*work), job);
    Result<Judgment> correct = isCorrect(*kernels, *work, job);
    if (!correct || question_.about == About::wrong)
        return correct;
    if (correct->state != RevisionState::good)
        return skipRevision("cannot be timed: " + correct->seen);
    if (good_)
        return isFast(std::move(*work), job);
    good_ = std::move(*work);
    return Judgment{RevisionState::good, "correct; the others are timed against it"};
}

Result<Judgment> RevisionJudge::builds(WorkSpec work, const Job& job) const
{
    KL_ASSIGN(const Json answer, collector_.ask(Verb::build, toJsonMessage(BuildRequest{std::move(work), question_.arch}), job));
    KL_ASSIGN(const CompileAnswer built, fromJsonMessage<CompileAnswer>(answer));
    if (built.status == ResultStatus::ok)
        return Judgment{RevisionState::good, fmt::format("builds for {}", built.arch)};
    const std::string error = firstError(built.log);
    return Judgment{RevisionState::bad, error.empty() ? built.reason : error};
}

Result<Judgment> RevisionJudge::isCorrect(const Catalog& kernels, WorkSpec work, const Job& job) const
{
    RunRequest request;
    request.work = std::move(work);
    Result<std::vector<WorkSpec>> suite = kernels.suite(question_.kernel);
    if (!suite)
        return skipRevision(suite.error().message);
    request.suite = std::move(*suite);
    request.withBaseline = false;
    request.minSeconds = 0; // the output of a timed pass is checked; its time does not matter
    request.maxSamples = kPassesChecked;
    KL_ASSIGN(const RunAnswer answer, orFailedRun(run(collector_, request, job), collector_.hello()));
    if (answer.status == ResultStatus::compilationFailed || answer.status == ResultStatus::deviceLimitsExceeded)
        return skipRevision(answer.reason);
    const Correctness& c = answer.correctness;
    if (answer.status == ResultStatus::ok && c.result == CorrectnessResult::notChecked)
        return skipRevision(c.reason.empty() ? "nothing was checked" : c.reason);
    if (answer.status == ResultStatus::ok && c.result == CorrectnessResult::correct)
        return Judgment{RevisionState::good, "correct"};
    const auto wrong = std::find_if(c.suite.begin(), c.suite.end(), [](const SuiteRow& row) { return !row.pass; });
    const std::optional<Mismatch>& first = wrong == c.suite.end() ? c.firstWrong : wrong->firstWrong;
    std::string seen = "incorrect: " + (answer.reason.empty() ? c.reason : answer.reason);
    if (wrong != c.suite.end())
        seen += fmt::format(" At {}.", wrong->problem);
    return Judgment{RevisionState::bad, first ? seen + " First: " + mismatchText(*first) : seen};
}

Result<Judgment> RevisionJudge::isFast(WorkSpec work, const Job& job) const
{
    AbRequest request;
    request.a = *good_;
    request.b = std::move(work);
    request.blocks = kBlocksPerLook;
    AbAnswer all;
    std::string seen;
    for (int look = 0; look < 2; ++look) {
        request.firstBlock = look * kBlocksPerLook;
        KL_ASSIGN(AbAnswer answer, interleave(collector_, request, job));
        answer.blocks.insert(answer.blocks.begin(), all.blocks.begin(), all.blocks.end());
        all = std::move(answer);
        const Comparison judged = judgeBlocks(all, {question_.kernel, question_.kernel, request.b.problem}, {}, 1);
        if (!judged.ratio)
            return skipRevision(judged.sentence);
        const Ratio& gain = *judged.ratio; // time(good) / time(this)
        seen = fmt::format("takes {} the good revision's time (95 % CI {})", formatRatio(1 / gain.value), intervalText(invertRatio(gain)));
        if (1 / gain.high > question_.ratio)
            return Judgment{RevisionState::bad, seen};
        if (1 / gain.low <= question_.ratio)
            return Judgment{RevisionState::good, seen};
    }
    return skipRevision(seen + ", which is inconclusive");
}

} // namespace kl::inline bisection
