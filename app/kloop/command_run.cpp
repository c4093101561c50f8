// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/render.h"
#include "sessions/engine/hot_lines.h"

#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// A kernel that failed or is wrong has not passed: exit 1.
int exitOf(const RunRecord& run)
{
    return run.status == ResultStatus::ok && run.correctness.result != CorrectnessResult::fail ? 0 : 1;
}

using Measure = std::function<Result<RunRecord>(const Address& address, const Params& problem)>;

/// Measures each --problem, or the default one, and prints one answer: of several, a list of results.
Result<int> measureEach(Program& program, const Options& options, const char* schema, const Measure& measure)
{
    const Result<const Catalogue*> catalogue = program.catalogue();
    if (!catalogue)
        return catalogue.error();
    const Result<Address> address = variantAddress(**catalogue, options.first);
    if (!address)
        return address.error();
    std::vector<Params> problems;
    for (const std::string& text : options.problems) {
        Result<Params> problem = parseParams(text);
        if (!problem)
            return problem.error();
        problems.push_back(std::move(*problem));
    }
    if (problems.empty())
        problems.emplace_back();
    std::vector<RunRecord> runs;
    for (const Params& problem : problems) {
        Result<RunRecord> run = measure(*address, problem);
        if (!run)
            return run.error();
        runs.push_back(std::move(*run));
    }
    Json answer = runToJsonWithLines(runs.front(), **catalogue);
    if (runs.size() > 1) {
        answer = Json{{"schema", schema}, {"results", Json::array()}};
        for (const RunRecord& run : runs)
            answer["results"].push_back(runToJsonWithLines(run, **catalogue));
    }
    int code = 0;
    const bool json = program.printed(answer);
    for (const RunRecord& run : runs) {
        if (!json)
            fmt::print("{}{}{}", &run == &runs.front() ? "" : "\n", renderRun(run), renderHotLines(hotLines(run, **catalogue, 5)));
        code = std::max(code, exitOf(run));
    }
    return code;
}

} // namespace

Result<int> commandRun(Program& program, const Options& options)
{
    return measureEach(program, options, "kernelloop.runs/1", [&](const Address& address, const Params& problem) -> Result<RunRecord> {
        const Result<Workbench*> bench = program.bench();
        return bench ? (*bench)->run(address, problem, options.suite, program.job()) : Result<RunRecord>(bench.error());
    });
}

Result<int> commandProfile(Program& program, const Options& options)
{
    return measureEach(program, options, "kernelloop.profiles/1", [&](const Address& address, const Params& problem) -> Result<RunRecord> {
        const Result<Workbench*> bench = program.bench();
        ProfileScope scope = options.tier;
        scope.source = options.source;
        return bench ? (*bench)->profile(address, problem, scope, program.job()) : Result<RunRecord>(bench.error());
    });
}

} // namespace kl
