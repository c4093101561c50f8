// SPDX-License-Identifier: MIT
#include "core/diagnosis/fix_steps.h"

namespace kl::inline diagnosis {
namespace {

// Ids of fixes in resources/diagnosis-tree.json that leave the kernel as it is, and do not just repeat the profile.
constexpr const char* kCorrectFirst = "correct-the-result";
constexpr const char* kLargerSizes = "document";

/// On the kernel of the run, measured where the run was.
NextStep whereMeasured(NextStep step, const RunRecord& run)
{
    if (run.source == Source::sample)
        step.set(StepArgument::source, "sample");
    return step;
}

NextStep tryVariant(const RunRecord& run, const Finding& finding, const std::string& variant)
{
    if (finding.classId == "invalid")
        return whereMeasured({StepId::run, {{StepArgument::kernel, variant}, {StepArgument::suite, "on"}}, {}}, run);
    NextStep step{StepId::compareInTurn, {{StepArgument::kernel, toText(run.kernel)}, {StepArgument::other, variant}}, {}};
    step.set(StepArgument::problem, toText(run.problem));
    return whereMeasured(std::move(step), run);
}

NextStep measureAgain(const RunRecord& run)
{
    NextStep step{StepId::profile, {{StepArgument::kernel, toText(run.kernel)}}, {}};
    step.set(StepArgument::problem, toText(run.problem));
    return whereMeasured(std::move(step), run);
}

NextStep largerSizes(const RunRecord& run)
{
    return whereMeasured({StepId::run, {{StepArgument::kernel, toText(run.kernel)}}, {{StepArgument::problem, "Which sizes?"}}}, run);
}

/// At the size of the run: another one may have another finding.
NextStep sessionAt(const RunRecord& run, const char* kind)
{
    NextStep step = sessionOn(toText(run.kernel));
    step.set(StepArgument::kind, kind);
    step.set(StepArgument::problem, toText(run.problem));
    return whereMeasured(std::move(step), run);
}

} // namespace

std::vector<NextStep> fixSteps(const RunRecord& run, const Finding& finding, const Fix& fix, bool ownSource)
{
    if (run.program || run.imported)
        return {programStep()};
    if (!fix.variant.empty())
        return {tryVariant(run, finding, fix.variant)};
    if (!fix.kind.empty())
        return ownSource ? std::vector{sessionAt(run, "")} : std::vector<NextStep>{};
    if (fix.id == kCorrectFirst)
        return {sessionAt(run, "debug")};
    return {fix.id == kLargerSizes ? largerSizes(run) : measureAgain(run)};
}

} // namespace kl::inline diagnosis
