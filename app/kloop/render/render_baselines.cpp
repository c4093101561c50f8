// SPDX-License-Identifier: MIT
#include "app/kloop/render/render_baselines.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/codec/model_fields.h"

#include <fmt/format.h>

namespace kl::cli {
namespace {

std::optional<double> rate(const RunRecord& run, std::optional<double> ns)
{
    return run.flops > 0 && ns && *ns > 0 ? std::optional(run.flops / *ns * 1e9) : std::nullopt;
}

std::string rateText(const RunRecord& run, std::optional<double> ns)
{
    const std::optional<double> flops = rate(run, ns);
    return flops ? formatFlops(*flops) : "–";
}

std::optional<double> kernelNs(const RunRecord& run)
{
    return run.timing ? std::optional(run.timing->gpu.median) : std::nullopt;
}

std::optional<double> speedupOver(const RunRecord& run, const Baseline& baseline)
{
    const std::optional<double> own = kernelNs(run);
    return own && *own > 0 && baseline.gpu ? std::optional(baseline.gpu->median / *own) : std::nullopt;
}

std::string errorText(std::optional<double> error)
{
    return error ? fmt::format("{:.2g}", *error) : "–";
}

Json teraflops(const RunRecord& run, std::optional<double> ns)
{
    const std::optional<double> flops = rate(run, ns);
    return flops ? Json(*flops / 1e12) : Json(nullptr);
}

} // namespace

std::string renderBaselines(const RunRecord& run)
{
    Table table({"", "GPU time>", "Rate>", "Kernels only>", "Host>", "Speedup over it>", "Max abs>", ""});
    const bool right = run.correctness.result == CorrectnessResult::correct;
    table.add({toText(run.kernel), formatTime(kernelNs(run)), rateText(run, kernelNs(run)), "",
               formatTime(run.timing ? run.timing->host : std::nullopt), "",
               errorText(right ? std::optional(run.correctness.maxAbs) : std::nullopt), ""});
    std::string missing;
    for (const Baseline& baseline : run.baselines) {
        if (!baseline.gpu) {
            missing += fmt::format("  {} unavailable: {}\n", applyTone(baseline.id, Tone::strong), baseline.unavailable);
            continue;
        }
        table.add({baseline.id, formatTime(baseline.gpu->median), rateText(run, baseline.gpu->median), formatTime(baseline.kernelsNs),
                   formatTime(baseline.host), formatRatio(speedupOver(run, baseline)), errorText(baseline.maxAbs),
                   baseline.version.empty() ? baseline.name : fmt::format("{}; {}", baseline.name, baseline.version)});
    }
    return table.text("  ") + (missing.empty() ? "" : '\n' + missing);
}

Json baselinesToJson(const RunRecord& run)
{
    Json json{{"schema", "kernelloop.baselines/1"}, {"kernel", run.kernel.family}, {"variant", run.kernel.variant}};
    json["tunables"] = toText(run.kernel.tunables);
    json["problem"] = toText(run.problem);
    json["device"] = {{"name", run.device.name}, {"source", toWord(run.source)}};
    json["flops"] = run.flops;
    json["run"] = run.id.text;
    Json own{{"id", nullptr}, {"name", toText(run.kernel)}};
    own["gpu_ns"] = run.timing ? kl::toJson(run.timing->gpu) : Json(nullptr);
    own["host_ns"] = run.timing ? kl::toJson(run.timing->host) : Json(nullptr);
    own["tflops"] = teraflops(run, kernelNs(run));
    own["max_abs"] = run.correctness.maxAbs;
    own["rel_l2"] = run.correctness.relL2;
    own["unavailable"] = run.reason;
    json["rows"] = Json::array({std::move(own)});
    for (const Baseline& baseline : run.baselines) {
        Json row = toJson(baseline);
        row["tflops"] = teraflops(run, baseline.gpu ? std::optional(baseline.gpu->median) : std::nullopt);
        row["speedup"] = kl::toJson(speedupOver(run, baseline));
        json["rows"].push_back(std::move(row));
    }
    return json;
}

} // namespace kl::cli
