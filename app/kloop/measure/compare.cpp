// SPDX-License-Identifier: MIT
#include "sessions/engine/compare.h"
#include "app/kloop/commands.h"
#include "app/kloop/common/program.h"
#include "app/kloop/common/stored_comparison.h"
#include "app/kloop/common/stored_run.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/format.h"
#include "core/codec/run_codec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// 1 where B is slower than A, a regression; 3 where no verdict could be given.
int exitOf(const Comparison& comparison)
{
    switch (comparison.verdict) {
    case Verdict::slower: return 1;
    case Verdict::inconclusive:
    case Verdict::notComparable: return 3;
    case Verdict::faster:
    case Verdict::equivalent: break;
    }
    return 0;
}

int answerWith(Program& program, const Comparison& comparison)
{
    if (!program.printed(comparisonToJson(comparison)))
        printText("{}", renderComparison(comparison));
    return exitOf(comparison);
}

struct KeepAnswer {
    const char* word;
    const char* sentence;
    int exit;
};

KeepAnswer keepAnswer(const Comparison& comparison, double keepAt)
{
    switch (keepDecision(comparison, keepAt)) {
    case KeepDecision::keep: return {"keep", "yes: all of the interval is there or above", 0};
    case KeepDecision::revert: return {"revert", "no: all of the interval is below", 1};
    case KeepDecision::moreBlocks:
    case KeepDecision::inconclusive: break;
    }
    return {"inconclusive", "not decided by these blocks", 3};
}

/// What `--keep-at` asks decides the exit code in place of the verdict.
int answerWithKeep(Program& program, const Comparison& comparison, double keepAt)
{
    const KeepAnswer keep = keepAnswer(comparison, keepAt);
    Json json = comparisonToJson(comparison);
    json["keep"] = {{"at", keepAt}, {"decision", keep.word}};
    if (!program.printed(json))
        printText("{}  kept from {} on: {}\n", renderComparison(comparison), formatRatio(keepAt), keep.sentence);
    return keep.exit;
}

} // namespace

Result<int> commandAb(Program& program, const Options& options)
{
    const Result<Params> problem = oneProblem(options);
    if (!problem)
        return problem.error();
    const Result<Address> a = program.kernel(options.first, *problem);
    const Result<Address> b = program.kernel(options.second, *problem);
    if (!a || !b)
        return !a ? a.error() : b.error();
    const Result<Workbench*> bench = program.bench();
    if (!bench)
        return bench.error();
    const Result<Comparison> comparison = (*bench)->ab(*a, *b, *problem, options.keepAt, program.job());
    if (!comparison)
        return comparison.error();
    return options.keepAt > 1 ? answerWithKeep(program, *comparison, options.keepAt) : answerWith(program, *comparison);
}

Result<StoredComparison> compareStored(Program& program, const Options& options, const std::string& first, const std::string& second)
{
    const Result<Params> problem = oneProblem(options);
    if (!problem)
        return problem.error();
    const Result<RunId> a = resolveRun(program, first, *problem);
    if (!a)
        return a.error();
    const Result<RunId> b = resolveRun(program, second, *problem);
    if (!b)
        return b.error();
    const Result<Workbench*> bench = program.bench();
    if (!bench)
        return bench.error();
    Result<Comparison> comparison = (*bench)->compare(*a, *b, options.reason);
    if (!comparison)
        return comparison.error();
    return StoredComparison{*a, *b, std::move(*comparison)};
}

Result<int> commandCompare(Program& program, const Options& options)
{
    const Result<StoredComparison> stored = compareStored(program, options, options.first, options.second);
    if (!stored)
        return stored.error();
    return answerWith(program, stored->comparison);
}

} // namespace kl
