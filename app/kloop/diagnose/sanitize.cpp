// SPDX-License-Identifier: MIT
#include "sessions/sanitize/sanitize.h"
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/measured.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/try.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct SanitizeOptions {
    SubjectOptions subjects;
    std::vector<std::string> tools; ///< empty: all
};

/// What a text of one kernel's checks says, and how many findings there are.
std::string renderChecks(const std::vector<SanitizerCheck>& checks)
{
    std::string text;
    for (const SanitizerCheck& check : checks) {
        const bool clean = check.findings.empty() && check.trouble.empty();
        text += fmt::format(
            "  {:<10} {}\n", check.tool,
            !check.trouble.empty() ? applyTone("did not run: " + check.trouble, Tone::bad)
            : clean                ? applyTone("no findings", Tone::good)
                    : applyTone(fmt::format("{} finding{}", check.findings.size(), check.findings.size() == 1 ? "" : "s"), Tone::bad));
        for (const SanitizerFinding& finding : check.findings) {
            text += fmt::format("    {}\n", describe(finding));
            if (!finding.detail.empty())
                text += fmt::format("      {}\n", applyTone(finding.detail, Tone::faint));
        }
    }
    return text;
}

/// The smallest size of a kernel's family: a checker slows a kernel down a hundredfold, and sees there what it sees elsewhere.
Result<Subject> chooseSize(const Catalog& catalog, Subject subject)
{
    KL_ASSIGN(const KernelFamily* family, catalog.family(subject.first.family));
    if (subject.second.empty())
        subject.second = family->smallest;
    return subject;
}

/// Now, or when the sample was recorded.
Result<std::vector<SanitizerCheck>> collectChecks(Program& program, const WorkSpec& work, const std::vector<std::string>& tools,
                                                  const std::string& source)
{
    if (program.options().onSample())
        return findRecordedChecks(program.device(), work, tools, source, program.job());
    return sanitize(work, tools, source, program.device().spec(), program.job());
}

Result<int> sanitizeKernels(Program& program, const SanitizeOptions& options)
{
    KL_ASSIGN(const std::vector<Subject> subjects, listSubjects(program, options.subjects));
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    const std::vector<std::string> all(kSanitizerTools.begin(), kSanitizerTools.end());
    Json answer{{"schema", "kernelloop.sanitize/1"}, {"kernels", Json::array()}};
    std::string text;
    int found = 0;
    bool looked = true;
    for (const Subject& subject : subjects) {
        KL_ASSIGN(const Subject one, chooseSize(*catalog, subject));
        KL_ASSIGN(const WorkSpec work, catalog->work(one.first, one.second));
        KL_ASSIGN(const std::vector<SanitizerCheck> checks,
                  collectChecks(program, work, options.tools.empty() ? all : options.tools, chooseSourceName(*catalog, one.first)));
        int here = 0;
        for (const SanitizerCheck& check : checks) {
            here += static_cast<int>(check.findings.size());
            looked = looked && check.trouble.empty();
        }
        found += here;
        answer["kernels"].push_back(
            {{"kernel", toText(one.first)}, {"problem", work.problem}, {"findings", here}, {"checks", toJson(checks)}});
        text += fmt::format("{} at {}\n{}", toText(one.first), work.problem, renderChecks(checks));
    }
    answer["findings"] = found;
    if (!program.printAsJson(answer))
        printText("{}", text);
    return found > 0 ? exitCode(ErrorCode::refused) : looked ? 0 : exitCode(ErrorCode::kernelFailed);
}

} // namespace

Runner addSanitize(CLI::App& app)
{
    const auto o = std::make_shared<SanitizeOptions>();
    app.add_option("KERNEL", o->subjects.kernels, "family/variant, or the path of your own kernel; several run one after the other")
        ->required();
    addRepeated(app, "--tool", o->tools, "memcheck, racecheck, initcheck or synccheck; may be given several times (default: all)")
        ->check(CLI::IsMember(std::vector<std::string>(kSanitizerTools.begin(), kSanitizerTools.end())));
    addProblems(app, o->subjects.problems);
    app.footer("Without --problem, uses the kernel's smallest size. Exit status 1: something was found.");
    return [o](Program& program) { return sanitizeKernels(program, *o); };
}

} // namespace kl::cli
