// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/measured.h"
#include "app/kloop/common/program.h"
#include "app/kloop/render/render_baselines.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "kernels/baseline_choice.h"
#include "kernels/variant_choice.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// What can be chosen, of every family.
int listed(Program& program, const Catalog& catalog)
{
    Json families = Json::array();
    Table table({"kernel", "baselines"});
    for (const KernelFamily& family : catalog.families()) {
        const std::vector<std::string> names = baselineNames(family);
        families.push_back({{"kernel", family.id}, {"baselines", names}});
        table.add({family.id, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))});
    }
    if (!program.printed({{"schema", "kernelloop.baseline-names/1"}, {"kernels", std::move(families)}}))
        printText("{}", table.text());
    return 0;
}

/// A family alone means its choice, or the top of its ladder.
Result<Address> subjectOf(Program& program, const Catalog& catalog, const std::string& text, const Params& problem)
{
    if (const Result<const KernelFamily*> family = catalog.family(text); family && !(*family)->variants.empty())
        return Address{text, topVariant(**family, problem, program.chip()).id, {}};
    return program.kernel(text, problem);
}

} // namespace

void usePython(const Options& options)
{
    if (!options.python.empty())
        ::setenv("KLOOP_PYTHON", options.python.c_str(), 1); // the worker, our child, hands it on
}

Result<int> commandBaselines(Program& program, const Options& options)
{
    usePython(options);
    const Result<const Catalog*> catalog = program.catalog();
    if (!catalog)
        return catalog.error();
    if (options.first.empty())
        return listed(program, **catalog);
    const Result<std::vector<Params>> problems = problemsOf(options);
    if (!problems)
        return problems.error();
    const Result<Workbench*> bench = program.bench();
    if (!bench)
        return bench.error();
    const std::vector<std::string> names = options.baselines.empty() ? std::vector<std::string>{"all"} : options.baselines;
    Json answer{{"schema", "kernelloop.baselines/1"}, {"results", Json::array()}};
    std::string text;
    int code = 0;
    for (const Params& problem : *problems) {
        const Result<Address> kernel = subjectOf(program, **catalog, options.first, problem);
        if (!kernel)
            return kernel.error();
        const Result<RunRecord> run = (*bench)->run(*kernel, problem, false, program.job(), {}, names);
        if (!run)
            return run.error();
        answer["results"].push_back(baselinesToJson(*run));
        text += fmt::format("{}{} on {}\n{}{}", text.empty() ? "" : "\n", toText(run->kernel), toText(run->problem),
                            run->reason.empty() ? "" : "  " + run->reason + '\n', renderBaselines(*run));
        if (!isUsable(*run))
            code = 1;
    }
    if (problems->size() == 1)
        answer = Json(answer["results"].front());
    if (!program.printed(answer))
        printText("{}", text);
    return code;
}

} // namespace kl
