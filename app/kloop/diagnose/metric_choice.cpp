// SPDX-License-Identifier: MIT
#include "app/kloop/diagnose/metric_choice.h"

#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "core/base/try.h"
#include "core/device/metric_sections.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::cli {
namespace {

Error stranger(const MetricsAnswer& plan)
{
    const auto& [name, near] = *plan.unknown.begin();
    std::string hint = near.empty() ? std::string() : fmt::format("Did you mean {}? ", fmt::join(near, " or "));
    hint += "Search names and descriptions.";
    std::string message = fmt::format("There is no metric \"{}\" on {} or any other chip.", name, plan.chip);
    if (plan.unknown.size() > 1)
        message += fmt::format(" {} more names are unknown.", plan.unknown.size() - 1);
    return Error{.code = ErrorCode::badInput, .message = message, .hint = hint, .where = "--metrics"}.leadTo(
        {StepId::listMetrics, {{StepArgument::chip, plan.chip}}, {{StepArgument::search, "Which words?"}}});
}

/// CUPTI's name for the chip of the recording ("GH100"), which the recorded probe tells.
Result<std::string> findRecordedChip(Program& program)
{
    KL_ASSIGN(const ProbeAnswer probed, probe(program.device(), program.job()));
    return probed.devices.empty() ? std::string() : probed.devices.front().chip;
}

Error needsChip(const Error& cause)
{
    Error error = cause;
    error.hint = "Name a chip, which needs no GPU: --chip GH100.";
    error.next.clear(); // this machine need not be put in order for it
    return error;
}

} // namespace

void addMetricOptions(CLI::App& app, MetricOptions& options)
{
    CLI::Option* tier = app.add_option("--tier", options.tier, "Metrics: 0 quick, 1 standard, 2 full")->check(CLI::Range(0, 2));
    addRepeated(app, "--metrics", options.metrics, "Exactly these CUPTI metrics, e.g. a,b,c or regex:EXPRESSION")
        ->delimiter(',')
        ->excludes(tier);
    addRepeated(app, "--sections", options.sections, "Groups of metrics, e.g. SpeedOfLight,WarpState, or all; kloop metrics lists them")
        ->delimiter(',')
        ->excludes(tier);
    app.add_option("--max-passes", options.maxPasses, "Leave out metrics that would take more passes; cheap ones are collected first")
        ->check(CLI::Range(1, 1000));
    app.add_option("--chip", options.chip, "Plan for this chip, e.g. GH100, instead of this machine's GPU")->check(notBlank);
}

Result<std::vector<std::string>> chooseMetrics(const MetricOptions& options)
{
    KL_ASSIGN(std::vector<std::string> chosen, listSectionMetrics(options.sections));
    if (!options.metrics.empty() && std::ranges::all_of(options.metrics, &std::string::empty))
        return Error{.code = ErrorCode::usage,
                     .message = "--metrics names no metric.",
                     .hint = "For example dram__bytes_read.sum,dram__bytes_write.sum. List the metrics.",
                     .where = "--metrics"}
            .leadTo({StepId::listMetrics});
    for (const std::string& name : options.metrics)
        if (!name.empty() && std::ranges::find(chosen, name) == chosen.end())
            chosen.push_back(name);
    return chosen;
}

Result<MetricsAnswer> askAboutChip(Program& program, MetricsRequest request)
{
    if (request.chip.empty() && program.device().source() == Source::sample) {
        KL_ASSIGN(std::string chip, findRecordedChip(program));
        request.chip = std::move(chip);
    }
    if (request.chip.empty())
        if (const std::optional<Error> unusable = program.device().unusable())
            return needsChip(*unusable);
    const LazyDevice here(chooseCompilingDevice(program.device().spec()));
    KL_ASSIGN(auto* worker, program.device().source() == Source::sample ? here.open() : program.device().open());
    return describeMetrics(*worker, request, program.job());
}

Result<MetricsAnswer> planMetrics(Program& program, const MetricOptions& options)
{
    KL_ASSIGN(std::vector<std::string> chosen, chooseMetrics(options));
    MetricsRequest request;
    request.tier = options.tier;
    request.metrics = std::move(chosen);
    request.maxPasses = options.maxPasses;
    request.chip = options.chip;
    Result<MetricsAnswer> plan = askAboutChip(program, std::move(request));
    if (plan && !plan->unknown.empty())
        return stranger(*plan);
    return plan;
}

} // namespace kl::cli
