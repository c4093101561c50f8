// SPDX-License-Identifier: MIT
#include "sessions/subject/program_check.h"

#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "sessions/subject/compared_outputs.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline subjects {
namespace {

namespace fs = std::filesystem;

CheckedSize makeFailedSize(const Params& problem, const CommandEnd& end)
{
    CheckedSize size;
    size.row.problem = toText(problem);
    size.row.reason = "the program " + end.why;
    size.ran = false;
    return size;
}

} // namespace

Result<CheckedSize> checkSize(const TargetSpec& spec, const ProgramRunner& runner, const Params& problem, std::uint64_t seed)
{
    const std::string text = toText(problem);
    if (!spec.check.command.empty()) {
        KL_ASSIGN(const CommandEnd end, runner.run(spec.check.command, {problem, {}, seed}, "checking " + text));
        SuiteRow row;
        row.problem = text;
        row.pass = end.why.empty();
        row.reason = row.pass ? std::string() : "the check " + end.why;
        return CheckedSize{row};
    }
    KL_ASSIGN(const ScratchFolder scratch, ScratchFolder::make());
    const fs::path wanted = scratch.path() / "reference";
    const fs::path written = scratch.path() / "program";
    std::error_code failed;
    fs::create_directory(wanted, failed);
    fs::create_directory(written, failed);
    KL_ASSIGN(const CommandEnd reference, runner.run(spec.check.reference, {problem, wanted, seed}, "the reference at " + text));
    if (!reference.why.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The reference {}", reference.why),
                     .hint = "Correct the reference of the target: without it nothing is known of a result.",
                     .where = "target.check.reference"};
    KL_ASSIGN(const CommandEnd end, runner.run(spec.run, {problem, written, seed}, "the program at " + text));
    if (!end.why.empty())
        return makeFailedSize(problem, end);
    KL_ASSIGN(SuiteRow row, compareOutputs(written, wanted, spec.check.tolerance, text));
    return CheckedSize{std::move(row)};
}

Status checkSizes(const TargetSpec& spec, const ProgramRunner& runner, const std::vector<Params>& suite, std::uint64_t seed,
                  RunRecord& record)
{
    Correctness& correctness = record.correctness;
    correctness.seed = seed;
    bool ran = true; // on every size
    for (const Params& size : suite) {
        KL_ASSIGN(CheckedSize checked, checkSize(spec, runner, size, seed));
        ran = ran && checked.ran;
        correctness.suite.push_back(std::move(checked.row));
    }
    const std::string own = toText(record.problem);
    const auto known = std::ranges::find(correctness.suite, own, &SuiteRow::problem);
    SuiteRow row;
    if (known != correctness.suite.end()) {
        row = *known;
    } else {
        KL_ASSIGN(CheckedSize checked, checkSize(spec, runner, record.problem, seed));
        ran = ran && checked.ran;
        row = std::move(checked.row);
    }
    correctness.maxAbs = row.maxAbs;
    correctness.relL2 = row.relL2;
    correctness.nonfinite = row.nonfinite;
    correctness.unwritten = row.unwritten;
    correctness.firstWrong = row.firstWrong;
    const auto wrong = std::ranges::find(correctness.suite, false, &SuiteRow::pass);
    const SuiteRow* failed = !row.pass ? &row : wrong != correctness.suite.end() ? &*wrong : nullptr;
    correctness.result = !ran ? CorrectnessResult::notChecked : failed ? CorrectnessResult::incorrect : CorrectnessResult::correct;
    if (!failed)
        return {};
    correctness.reason = fmt::format("{}: {}", failed->problem, failed->reason);
    record.status = ran ? ResultStatus::validationFailed : ResultStatus::computationFailed;
    record.reason = correctness.reason;
    return {};
}

} // namespace kl::inline subjects
