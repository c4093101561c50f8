// SPDX-License-Identifier: MIT
#include "app/kloop/metric_choice.h"

#include "app/kloop/program.h"
#include "core/device/metric_sections.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

Error stranger(const MetricsAnswer& plan)
{
    const auto& [name, near] = *plan.unknown.begin();
    std::string hint = near.empty() ? std::string() : fmt::format("Did you mean {}? ", fmt::join(near, " or "));
    hint += fmt::format("`kloop metrics --chip {} --search TEXT` looks for names and descriptions.", plan.chip);
    std::string message = fmt::format("{} has no metric \"{}\", nor has any other chip.", plan.chip, name);
    if (plan.unknown.size() > 1)
        message += fmt::format(" {} more names are unknown.", plan.unknown.size() - 1);
    return {ErrorCode::badInput, message, hint, "--metrics", {}};
}

/// CUPTI's name for the chip of the recording ("GH100"), which the recorded probe tells.
Result<std::string> recordedChip(Program& program)
{
    const Result<ProbeAnswer> probed = probe(program.device(), program.job());
    if (!probed)
        return probed.error();
    return probed->devices.empty() ? std::string() : probed->devices.front().chip;
}

Error needsChip(const Error& cause)
{
    Error error = cause;
    error.hint = "Name a chip, which needs no GPU: --chip GH100.";
    return error;
}

} // namespace

Result<std::vector<std::string>> chosenMetrics(const ProfileOptions& options)
{
    Result<std::vector<std::string>> chosen = metricsOfSections(options.sections);
    if (!chosen)
        return chosen;
    if (!options.metrics.empty() && std::ranges::all_of(options.metrics, &std::string::empty))
        return Error{ErrorCode::usage,
                     "--metrics names no metric.",
                     "As dram__bytes_read.sum,dram__bytes_write.sum; kloop metrics lists them.",
                     "--metrics",
                     {}};
    for (const std::string& name : options.metrics)
        if (!name.empty() && std::ranges::find(*chosen, name) == chosen->end())
            chosen->push_back(name);
    return chosen;
}

Result<MetricsAnswer> askAboutChip(Program& program, const Options& options, MetricsRequest request)
{
    request.chip = options.profile.chip;
    if (request.chip.empty() && program.device().source() == Source::sample) {
        Result<std::string> chip = recordedChip(program);
        if (!chip)
            return chip.error();
        request.chip = std::move(*chip);
    }
    if (request.chip.empty())
        if (const std::optional<Error> unusable = program.device().unusable())
            return needsChip(*unusable);
    const LazyDevice here(compilingDevice(program.device().spec()));
    const Result<Collector*> worker = program.device().source() == Source::sample ? here.open() : program.device().open();
    if (!worker)
        return worker.error();
    return describeMetrics(**worker, request, program.job());
}

Result<MetricsAnswer> planMetrics(Program& program, const Options& options)
{
    Result<std::vector<std::string>> chosen = chosenMetrics(options.profile);
    if (!chosen)
        return chosen.error();
    MetricsRequest request;
    request.tier = options.tier;
    request.metrics = std::move(*chosen);
    request.maxPasses = options.profile.maxPasses;
    Result<MetricsAnswer> plan = askAboutChip(program, options, std::move(request));
    if (plan && !plan->unknown.empty())
        return stranger(*plan);
    return plan;
}

} // namespace kl
