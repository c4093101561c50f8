// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/stored_comparison.h"
#include "app/kloop/measure/comparison_answer.h"

namespace kl::cli {
namespace {

Result<int> compareRuns(Program& program, const ComparisonOptions& options)
{
    const Result<StoredComparison> stored = compareStored(program, options);
    return stored ? Result<int>(answerComparison(program, stored->comparison)) : Result<int>(stored.error());
}

} // namespace

Runner addCompare(CLI::App& app)
{
    constexpr const char* kSide = "run:ID or the start of one, or family/variant for its newest run";
    const auto o = std::make_shared<ComparisonOptions>();
    app.add_option("A", o->a, kSide)->required();
    app.add_option("B", o->b, kSide)->required();
    app.add_option("--waive", o->waive, "Compare across devices, drivers or clocks; give the reason")->check(notBlank);
    addProblems(app, o->problems, "Sizes of the newest runs, e.g. M=4096,N=4096");
    return [o](Program& program) { return compareRuns(program, *o); };
}

} // namespace kl::cli
