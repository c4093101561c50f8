// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/measure/comparison_answer.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/run_codec.h"
#include "sessions/measure/compare.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct AbOptions {
    std::string a;
    std::string b;
    double keepAt = 1;   ///< least time(A) / time(B) that keeps B; 1: a plain comparison
    bool energy = false; ///< of both sides, per launch
    std::vector<std::string> problems;
};

struct KeepAnswer {
    const char* word;
    const char* sentence;
    int exit;
};

KeepAnswer keepAnswer(const Comparison& comparison, double keepAt)
{
    switch (keepDecision(comparison, keepAt)) {
    case KeepDecision::keep: return {"keep", "yes, the whole interval is at or above it", 0};
    case KeepDecision::revert: return {"revert", "no, the whole interval is below it", 1};
    case KeepDecision::moreBlocks:
    case KeepDecision::inconclusive: break;
    }
    return {"inconclusive", "undecided after these blocks", 3};
}

/// What `--keep-at` asks decides the exit code in place of the verdict.
int answerWithKeep(Program& program, const Comparison& comparison, double keepAt)
{
    const KeepAnswer keep = keepAnswer(comparison, keepAt);
    Json json = comparisonToJson(comparison);
    json["keep"] = {{"at", keepAt}, {"decision", keep.word}};
    if (!program.printAsJson(json))
        printText("{}  keep at {}: {}\n", renderComparison(comparison), formatRatio(keepAt), keep.sentence);
    return keep.exit;
}

Result<int> compareVariants(Program& program, const AbOptions& options)
{
    KL_ASSIGN(const Params problem, oneProblem(options.problems));
    const Result<Address> a = program.kernel(options.a, problem);
    const Result<Address> b = program.kernel(options.b, problem);
    if (!a || !b)
        return !a ? a.error() : b.error();
    KL_ASSIGN(auto* bench, program.bench());
    KL_ASSIGN(const Comparison comparison, bench->ab(*a, *b, problem, options.keepAt, program.job(), options.energy));
    return options.keepAt > 1 ? answerWithKeep(program, comparison, options.keepAt) : answerComparison(program, comparison);
}

} // namespace

Runner addAb(CLI::App& app)
{
    const auto o = std::make_shared<AbOptions>();
    app.add_option("A", o->a, "family/variant")->required();
    app.add_option("B", o->b, "family/variant")->required();
    app.add_option("--keep-at", o->keepAt,
                   "Minimum speedup of B over A to keep B, e.g. 1.2; exit status 0 then means keep (default: a plain comparison)")
        ->check(CLI::Range(1.0, 100.0))
        ->check(finiteNumber);
    app.add_flag("--energy", o->energy, "Compare the energy per launch, too (NVML's counter): 10 interleaved windows of a second or more");
    addProblems(app, o->problems, "Sizes, e.g. M=4096,N=4096");
    return [o](Program& program) { return compareVariants(program, *o); };
}

} // namespace kl::cli
