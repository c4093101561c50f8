// SPDX-License-Identifier: MIT
#include "app/kloop/common/measured.h"

#include "app/kloop/common/program.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "sessions/measure/hot_lines.h"

#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

/// A kernel that failed or is incorrect has not passed: exit 1.
int chooseExit(const RunRecord& run)
{
    return isUsable(run) ? 0 : 1;
}

} // namespace

Result<std::vector<Subject>> listSubjects(Program& program, const SubjectOptions& options)
{
    KL_ASSIGN(const std::vector<Params> problems, allProblems(options.problems));
    std::vector<Subject> subjects;
    for (const std::string& text : options.kernels) {
        for (const Params& problem : problems) {
            KL_ASSIGN(const Address kernel, program.kernel(text, problem));
            subjects.emplace_back(kernel, problem);
        }
    }
    if (options.all) {
        KL_ASSIGN(const Catalog* catalog, program.catalog());
        for (const KernelFamily& family : catalog->families())
            for (const Variant& variant : family.variants)
                for (const Params& problem : options.problems.empty() ? family.problems : problems)
                    subjects.emplace_back(Address{family.id, variant.id, {}}, problem);
    }
    if (subjects.empty())
        return Error{.code = ErrorCode::usage,
                     .message = "No kernel is given.",
                     .hint = "For example transpose/naive; see --help. List the kernels.",
                     .where = "KERNEL"}
            .leadTo({StepId::listKernels});
    return subjects;
}

namespace {

void sayMissing(const std::vector<Subject>& missing)
{
    std::map<std::string, int> counts;
    for (const Subject& subject : missing)
        ++counts[subject.first.family];
    for (const auto& [family, count] : counts)
        say("kloop: {} profiles of {} are not recorded and left out.\n", count, family);
}

} // namespace

Result<std::vector<RunRecord>> profileCatalog(Program& program)
{
    KL_ASSIGN(auto* bench, program.bench());
    const Catalog& catalog = bench->catalog();
    std::vector<RunRecord> runs;
    std::vector<Subject> missing;
    for (const Address& kernel : catalog.addresses())
        for (const Params& problem : (*catalog.family(kernel.family))->problems) {
            Result<RunRecord> run = bench->profile(kernel, problem, kSessionTier, program.job());
            if (run)
                runs.push_back(std::move(*run));
            else if (run.error().code == ErrorCode::notRecorded)
                missing.emplace_back(kernel, problem);
            else
                return run.error();
        }
    sayMissing(missing);
    return runs;
}

Result<int> printRuns(Program& program, const char* schema, const std::vector<RunRecord>& runs, bool explain,
                      const std::vector<Subject>& missing)
{
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    KL_ASSIGN(const DiagnosisTree* tree, explain ? program.tree() : Result<const DiagnosisTree*>(nullptr));
    Json answer{{"schema", schema}, {"results", Json::array()}};
    for (const RunRecord& run : runs)
        answer["results"].push_back(runToJsonWithLines(run, *catalog));
    for (const auto& [kernel, problem] : missing)
        answer["missing"].push_back({{"kernel", toText(kernel)}, {"problem", toText(problem)}});
    sayMissing(missing);
    if (runs.size() == 1 && missing.empty())
        answer = Json(answer["results"].front());
    int code = 0;
    const bool json = program.printAsJson(answer);
    for (const RunRecord& run : runs) {
        if (!json)
            printText("{}{}{}{}{}", &run == &runs.front() ? "" : "\n", renderRun(run),
                      explain ? renderExplanation(run, *tree) : std::string(), renderHotLines(run, *catalog), renderDuration(run));
        code = std::max(code, chooseExit(run));
    }
    return code;
}

} // namespace kl::cli
