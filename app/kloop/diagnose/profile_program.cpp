// SPDX-License-Identifier: MIT
#include "app/kloop/common/program.h"
#include "app/kloop/diagnose/profile_options.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/explain.h"
#include "app/kloop/terminal/interrupts.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/learning/recommend.h"
#include "sessions/program/program_profile.h"
#include "sessions/program/trace_program.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace kl::cli {
namespace {

/// Like a shell: 127 for a program that is not there, 126 for one that cannot be executed.
int reportUnstarted(Error error, bool json)
{
    const bool missing = std::exchange(error.detail, {}) == kNoSuchProgram;
    explain(error, json);
    return missing ? 127 : 126;
}

/// Options of the catalog's kernels have no effect on a program: refused rather than ignored.
Status usable(const GlobalOptions& global, const ProfileOptions& options)
{
    const struct {
        bool wasGiven;
        const char* name;
    } foreign[] = {{!options.subjects.kernels.empty(), "KERNEL"},
                   {options.subjects.all, "--all"},
                   {!options.subjects.problems.empty(), "--problem"},
                   {global.onSample(), "--on sample"},
                   {options.plan, "--plan"},
                   {!options.metrics.chip.empty(), "--chip"},
                   {options.cacheControl == "flush", "--cache-control flush"},
                   {options.countersOnly, "--counters-only"},
                   {options.experiments, "--experiments"},
                   {options.energy, "--energy"},
                   {options.pmSampling, "--pm-sampling"}};
    if (options.noCounters && options.source.value_or(false))
        return Error{.code = ErrorCode::usage,
                     .message = "--source samples the program counters in hardware, which --no-counters rules out.",
                     .hint = "Omit one of the two.",
                     .where = "--no-counters"};
    for (const auto& option : foreign)
        if (option.wasGiven)
            return Error{.code = ErrorCode::usage,
                         .message = fmt::format("{} applies to kernels of the catalog, not to a program after \"--\".", option.name),
                         .hint = fmt::format("Leave out {}, or the program.", option.name),
                         .where = option.name};
    return {};
}

Result<TraceConfig> makeTraceConfig(const ProfileOptions& options)
{
    KL_ASSIGN([[maybe_unused]] const KernelPattern pattern, KernelPattern::parse(options.program.kernel));
    KL_ASSIGN(std::vector<std::string> metrics, chooseMetrics(options.metrics));
    TraceConfig config;
    config.kernel = options.program.kernel;
    config.skip = options.program.skip;
    config.ranges = {options.program.range, options.program.byRange};
    if (options.program.count > 0)
        config.count = options.program.count;
    config.tier = options.metrics.tier;
    config.source = options.source.value_or(false); // a tenth of a second for every launch sampled
    config.metrics = std::move(metrics);
    config.maxPasses = options.metrics.maxPasses;
    return config;
}

void writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t wrote = ::write(descriptor, bytes.data(), bytes.size());
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return; // nobody reads it, as with a program of this machine
        bytes.remove_prefix(static_cast<std::size_t>(wrote));
    }
}

/// Of the program's streams, ours are at its disposal as they would be here; what else there is to say comes between its lines.
Job makeProgramJob(Program& program, bool dataIsOurs)
{
    Job job = program.job();
    job.silence = std::chrono::hours(24 * 365); // a program may be as quiet as it likes
    job.progress = [last = std::string()](const Progress& progress) mutable {
        if (progress.seq == 0 && progress.step != std::exchange(last, progress.step)) // of the connection, not of the program
            say("kloop: {}\n", progress.step);
    };
    job.output = [dataIsOurs](std::string_view bytes, bool errors) {
        writeAll(errors || dataIsOurs ? STDERR_FILENO : STDOUT_FILENO, bytes);
    };
    return job;
}

/// The program runs on the device's host. It sees the GPU that --on names, all where it names none.
Status runElsewhere(Program& program, const DeviceSpec& on, bool dataIsOurs, TraceRequest& request)
{
    UsableDevice& device = program.device();
    if (const std::optional<Error> unusable = device.unusable())
        return *unusable;
    const DeviceInfo* gpu = findMeasuredDevice(device.hello());
    if (gpu && std::ranges::any_of(on.remote, [](const RemoteGpu& place) { return !place.gpu.empty(); }))
        request.run.variables.push_back("CUDA_VISIBLE_DEVICES=" + gpu->uuid);
    program.clearProgress();
    request.runner = runOn(device, makeProgramJob(program, dataIsOurs));
    return {};
}

} // namespace

Result<int> profileProgram(Program& program, const ProfileOptions& options)
{
    KL_TRY(usable(program.options(), options));
    KL_ASSIGN(TraceConfig config, makeTraceConfig(options));
    KL_ASSIGN(const DiagnosisTree* tree, program.tree());
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    KL_ASSIGN(auto* store, program.store()); // before the program runs: it may take hours
    KL_TRY(checkStorable(*store));
    const std::string& out = options.program.out;
    if (!out.empty())
        KL_TRY(checkWritable(out));
    const bool json = program.options().json;
    const bool dataIsOurs = json && out.empty();
    const std::optional<DeviceSpec>& on = program.options().on;
    const bool elsewhere = on && isElsewhere(*on);
    TraceRequest request{{*program.options().program, std::move(config), dataIsOurs},
                         !options.noCounters,
                         options.program.executions,
                         options.program.once || (!elsewhere && !canReadInputAgain()),
                         !elsewhere}; // elsewhere the worker locks the GPUs
    if (elsewhere)
        KL_TRY(runElsewhere(program, *on, dataIsOurs, request));
    RunWatch watch;
    if (!elsewhere)
        watch.started = &Interrupts::passOnTo;
    watch.locked = [](const std::string& step) { say("kloop: {}\n", step); };
    Result<TracedProgram> traced = traceProgram(request, watch, [&](std::size_t launches) {
        say("kloop: running the program again for the {} of {} launch{} (--once runs it once)\n",
            options.noCounters ? "instructions" : "counters", launches, launches == 1 ? "" : "es");
    });
    if (!traced)
        return traced.error().code == ErrorCode::notFound ? reportUnstarted(traced.error(), json) : Result<int>(traced.error());
    ProgramProfile profile = makeProgramProfile(traced->program, std::move(traced->processes),
                                                *KernelPattern::parse(options.program.kernel), *tree, traced->counting);
    weighFixes(profile, trainModel(*store, *catalog, *tree), *tree);
    storeRuns(*store, profile, program.job());
    if (!out.empty())
        KL_TRY(writeFile(out, encodePretty(profileToJson(profile, *catalog)) + '\n'));
    if (out.empty() && json) {
        Json answer = profileToJson(profile, *catalog);
        addStepCommands(answer);
        printJson(encodePretty(answer));
    } else {
        say("{}", renderProgram(profile, *catalog, options.explain ? tree : nullptr));
    }
    return profile.program.exitCode;
}

} // namespace kl::cli
