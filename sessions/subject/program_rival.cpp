// SPDX-License-Identifier: MIT
#include "sessions/subject/program_rival.h"

#include "core/base/python_call.h"
#include "core/base/resource.h"
#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/stats/ab.h"
#include "kernels/model/expression.h"
#include "sessions/subject/measured_launches.h"

#include <fmt/format.h>

namespace kl::inline subjects {
namespace {

constexpr const char* kScript = "sessions/subject/sdpa_rival.py";
constexpr const char* kScriptName = "sdpa_rival.py";
constexpr const char* kRivalRange = "kernelloop.rival"; ///< as in the script
constexpr int kRivalRuns = 2;

Baseline unavailable(const TargetSpec& spec, const Error& error)
{
    Baseline rival;
    rival.name = spec.rival.name;
    rival.unavailable = error.hint.empty() ? error.message : error.message + ' ' + error.hint;
    return rival;
}

void take(Baseline& rival, const MeasuredLaunches& measured, std::vector<double>& gpuNs)
{
    gpuNs.insert(gpuNs.end(), measured.gpuNs.begin(), measured.gpuNs.end());
    rival.gpu = summarize(gpuNs);
    rival.kernels = {demangle(measured.kernel)};
}

/// PyTorch's attention: its command, whose script is in `folder`.
Result<CommandWords> attention(const TargetSpec& spec, const Params& problem, const PythonCall& call)
{
    CommandWords words = call.arguments;
    Scope scope;
    for (const auto& [name, value] : problem)
        if (const std::int64_t* number = numberIn(problem, name))
            scope[name] = static_cast<double>(*number);
    for (const char* side : {"B", "H", "S", "D"}) {
        KL_ASSIGN(const std::int64_t count, evaluateCount(spec.rival.shape.at(side), scope, 1));
        words.push_back(std::to_string(count));
    }
    words.push_back(spec.rival.type);
    words.emplace_back(spec.rival.causal ? "1" : "0");
    words.push_back(std::to_string(spec.warmup + spec.launches));
    return words;
}

} // namespace

Baseline rivalIn(const TargetSpec& spec, const std::vector<ProcessTrace>& processes, const Params& problem)
{
    const Result<MeasuredLaunches> measured = measureLaunches(processes, spec.rival.launches, problem, spec.warmup, spec.launches);
    if (!measured)
        return unavailable(spec, measured.error());
    Baseline rival;
    rival.name = spec.rival.name;
    std::vector<double> gpuNs;
    take(rival, *measured, gpuNs);
    return rival;
}

Result<Baseline> rivalRuns(const TargetSpec& spec, const ProgramRunner& runner, const Params& problem)
{
    CommandWords command = spec.rival.run;
    LaunchChoice launches = spec.rival.launches;
    CommandInputs inputs{problem};
    KL_ASSIGN(const ScratchFolder scratch, ScratchFolder::make());
    if (!spec.rival.shape.empty()) {
        KL_ASSIGN(const std::string_view script, resource(kScript));
        KL_TRY(writeFile(scratch.path() / kScriptName, script));
        const PythonCall call = pythonScript((scratch.path() / kScriptName).string(), scratch.path().string());
        KL_ASSIGN(command, attention(spec, problem, call));
        inputs.more = call.environment;
        launches = {{}, {}, {}, kRivalRange};
    }
    Baseline rival;
    rival.name = spec.rival.name;
    std::vector<double> gpuNs;
    for (int i = 0; i < kRivalRuns; ++i) {
        KL_ASSIGN(const ProgramRunner::Traced traced, runner.trace(command, inputs, "the baseline, " + spec.rival.name));
        if (!traced.end.why.empty())
            return unavailable(spec, {.message = "It " + traced.end.why});
        const Result<MeasuredLaunches> measured = measureLaunches(traced.processes, launches, problem, spec.warmup, spec.launches);
        if (!measured)
            return unavailable(spec, measured.error());
        take(rival, *measured, gpuNs);
        if (!spec.rival.shape.empty())
            rival.version = traced.end.output.substr(0, traced.end.output.find('\n'));
    }
    return rival;
}

} // namespace kl::inline subjects
