// SPDX-License-Identifier: MIT
// A program under compute-sanitizer, and in revisions of its history.
#include "sessions/subject/program_subject.h"

#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "profiler/protocol/kernel_pattern.h"
#include "sessions/subject/program_check.h"
#include "sessions/target/target_family.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace kl::inline subjects {
namespace {

namespace fs = std::filesystem;

std::string filesIn(const fs::path& folder)
{
    std::error_code failed;
    std::string text;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        if (!entry.is_regular_file(failed)) // reading a folder would throw
            continue;
        std::ifstream in(entry.path(), std::ios::binary);
        text.append(std::istreambuf_iterator<char>(in), {});
    }
    return text;
}

/// What the target runs besides the edited files, where the revision lacks it: checks and scripts may be younger than the fault.
Status addHarness(const TargetSpec& spec, const fs::path& folder)
{
    KL_ASSIGN(const std::vector<std::string> files, projectFiles(spec));
    for (const std::string& name : files) {
        std::error_code failed;
        if (std::ranges::find(spec.edit, name) != spec.edit.end() || fs::exists(folder / name, failed))
            continue;
        fs::create_directories((folder / name).parent_path(), failed);
        if (!fs::copy_file(fs::path(spec.folder) / name, folder / name, failed))
            return Error{.code = ErrorCode::environment,
                         .message = fmt::format("{} cannot be written: {}.", (folder / name).string(), failed.message()),
                         .where = name};
    }
    return {};
}

Result<Judgment> judgeRevision(const TargetSpec& spec, const RevisionQuestion& question, const fs::path& folder, const std::string& gpu,
                               const Job& job)
{
    std::error_code failed;
    for (const std::string& name : spec.edit)
        if (!fs::exists(folder / name, failed))
            return Judgment{RevisionState::skip, fmt::format("there is no {}", name)};
    KL_TRY(addHarness(spec, folder));
    const ProgramRunner runner(spec, folder, gpu, job);
    KL_ASSIGN(const SubjectBuild built, runner.build());
    if (built.status != ResultStatus::ok)
        return Judgment{question.builds ? RevisionState::bad : RevisionState::skip, built.reason};
    if (question.builds)
        return Judgment{RevisionState::good, "builds"};
    std::vector<Params> sizes{question.problem.empty() ? spec.problems.front() : question.problem};
    for (const Params& size : spec.suite)
        if (size != sizes.front())
            sizes.push_back(size);
    for (const Params& size : sizes) {
        KL_ASSIGN(const CheckedSize checked, checkSize(spec, runner, size, 1));
        if (!checked.row.pass)
            return Judgment{RevisionState::bad, fmt::format("incorrect: {} at {}", checked.row.reason, checked.row.problem)};
    }
    return Judgment{RevisionState::good, "correct"};
}

} // namespace

Result<std::vector<SanitizerCheck>> ProgramSubject::sanitize(const Address&, const Params& problem, const std::vector<std::string>& tools,
                                                             const Job& job)
{
    KL_ASSIGN(const TargetSpec spec, loadAllowedTarget(job));
    KL_ASSIGN(const fs::path program, sanitizerProgram());
    KL_ASSIGN(const KernelPattern pattern, KernelPattern::parse(spec.kernel.kernel));
    const ProgramRunner runner(spec, spec.folder, gpu(), job);
    KL_ASSIGN(const SubjectBuild built, runner.build());
    if (built.status != ResultStatus::ok)
        return Error{.code = ErrorCode::environment, .message = built.reason, .hint = "Correct the build.", .where = spec.file};
    std::vector<SanitizerCheck> checks;
    for (const std::string& tool : tools) {
        KL_ASSIGN(const ScratchFolder folder, ScratchFolder::make());
        CommandWords words = sanitizerCommand(program, tool, folder.path() / "log-%p.txt");
        words.insert(words.end(), {"--target-processes", "all"});
        words.insert(words.end(), spec.run.begin(), spec.run.end());
        CommandInputs inputs{problem.empty() ? spec.smallest : problem};
        inputs.launches = 1;
        KL_ASSIGN(const CommandEnd end, runner.run(words, inputs, fmt::format("{} of {}", tool, spec.id)));
        SanitizerCheck check{tool, {}, {}, filesIn(folder.path())};
        for (SanitizerFinding& finding : parseSanitizer(tool, check.log)) // other kernels of the program are not this session's
            if (pattern.matches(finding.place.kernel))
                check.findings.push_back(std::move(finding));
        if (check.findings.empty() && !end.why.empty())
            check.trouble = "The program " + end.why;
        checks.push_back(std::move(check));
    }
    return checks;
}

JudgeRevision ProgramSubject::judge(const RevisionQuestion& question, const std::string& root, const Job& job)
{
    return [this, question, root, &job](const std::string& tree) -> Result<Judgment> {
        KL_ASSIGN(const TargetSpec spec, loadAllowedTarget(job));
        const fs::path inside = fs::weakly_canonical(spec.folder).lexically_relative(fs::weakly_canonical(root));
        return judgeRevision(spec, question, (fs::path(tree) / inside).lexically_normal(), gpu(), job);
    };
}

} // namespace kl::inline subjects
