// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/measure/baseline_options.h"
#include "app/kloop/render/render_baselines.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/try.h"
#include "kernels/baseline_choice.h"
#include "kernels/variant_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct BaselinesOptions {
    std::string kernel; ///< a family or variant; empty: list the baselines of every family
    std::vector<std::string> problems;
    BaselineOptions baselines;
};

/// What can be chosen, of every family.
int printBaselines(Program& program, const Catalog& catalog)
{
    Json families = Json::array();
    Table table({"Kernel", "Baselines"});
    for (const KernelFamily& family : catalog.families()) {
        const std::vector<std::string> names = baselineNames(family);
        families.push_back({{"kernel", family.id}, {"baselines", names}});
        table.add({family.id, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))});
    }
    if (!program.printAsJson({{"schema", "kernelloop.baseline-names/1"}, {"kernels", std::move(families)}}))
        printText("{}", table.text());
    return 0;
}

/// A family alone means its choice, or the last of its series.
Result<Address> resolveBaselineKernel(Program& program, const Catalog& catalog, const std::string& text, const Params& problem)
{
    if (const Result<const KernelFamily*> family = catalog.family(text); family && !(*family)->variants.empty())
        return Address{text, topVariant(**family, problem, program.chip()).id, {}};
    return program.kernel(text, problem);
}

Result<int> runBaselines(Program& program, const BaselinesOptions& options)
{
    usePython(options.baselines);
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    if (options.kernel.empty())
        return printBaselines(program, *catalog);
    KL_ASSIGN(const std::vector<Params> problems, allProblems(options.problems));
    KL_ASSIGN(auto* bench, program.bench());
    const std::vector<std::string> names = options.baselines.names.empty() ? std::vector<std::string>{"all"} : options.baselines.names;
    Json answer{{"schema", "kernelloop.baselines/1"}, {"results", Json::array()}};
    std::string text;
    int code = 0;
    for (const Params& problem : problems) {
        KL_ASSIGN(const Address kernel, resolveBaselineKernel(program, *catalog, options.kernel, problem));
        KL_ASSIGN(const RunRecord run, bench->run(kernel, problem, false, program.job(), {}, names));
        answer["results"].push_back(baselinesToJson(run));
        text += fmt::format("{}{} at {}\n{}{}", text.empty() ? "" : "\n", toText(run.kernel), toText(run.problem),
                            run.reason.empty() ? "" : "  " + run.reason + '\n', renderBaselines(run));
        if (!isUsable(run))
            code = 1;
    }
    if (problems.size() == 1)
        answer = Json(answer["results"].front());
    if (!program.printAsJson(answer))
        printText("{}", text);
    return code;
}

} // namespace

Runner addBaselines(CLI::App& app)
{
    const auto o = std::make_shared<BaselinesOptions>();
    app.add_option("KERNEL", o->kernel, "A family, e.g. attention, or family/variant; without it, list the names that --baseline takes");
    addProblems(app, o->problems);
    addBaselineOptions(app, o->baselines);
    return [o](Program& program) { return runBaselines(program, *o); };
}

} // namespace kl::cli
