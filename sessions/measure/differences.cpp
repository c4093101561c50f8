// SPDX-License-Identifier: MIT
#include "sessions/measure/differences.h"

#include "core/base/format.h"
#include "core/model/model_words.h"

#include <cmath>
#include <fmt/format.h>
#include <set>

namespace kl::inline measure {
namespace {

/// Counts in full, other figures to six digits.
std::string text(std::optional<double> value)
{
    if (!value)
        return kNoValue;
    const bool count = std::abs(*value) < 1e15 && *value == std::floor(*value);
    return count ? fmt::format("{:.0f}", *value) : fmt::format("{:.6g}", *value);
}

Difference numeric(const std::string& name, std::optional<double> a, std::optional<double> b)
{
    return {name, text(a), text(b), relativeChange(a, b)};
}

void addIfDifferent(std::vector<Difference>& rows, const std::string& name, const std::string& a, const std::string& b)
{
    if (a != b)
        rows.push_back({name, a.empty() ? kNoValue : a, b.empty() ? kNoValue : b, {}});
}

} // namespace

std::optional<double> relativeChange(std::optional<double> a, std::optional<double> b)
{
    if (!a || !b || *a == 0 || !std::isfinite(*a) || !std::isfinite(*b))
        return {};
    return *b / *a - 1;
}

std::vector<Difference> metricDifferences(const RunRecord& a, const RunRecord& b)
{
    std::vector<Difference> rows;
    const auto gpu = [](const RunRecord& run) { return run.timing ? std::optional(run.timing->gpu.median) : std::nullopt; };
    const auto hot = [](const RunRecord& run) { return run.timing ? run.timing->gpuHot : std::nullopt; };
    const auto host = [](const RunRecord& run) { return run.timing ? run.timing->host : std::nullopt; };
    const auto bytes = [](const RunRecord& run) {
        return run.memoryBytes ? std::optional(static_cast<double>(*run.memoryBytes)) : std::nullopt;
    };
    rows.push_back(numeric("gpu_ns", gpu(a), gpu(b)));
    rows.push_back(numeric("gpu_ns_hot", hot(a), hot(b)));
    rows.push_back(numeric("host_ns", host(a), host(b)));
    rows.push_back(numeric("speedup", a.speedup, b.speedup));
    rows.push_back(numeric("memory_bytes", bytes(a), bytes(b)));
    const auto joules = [](const RunRecord& run) {
        return run.timing && run.timing->energy ? run.timing->energy->perLaunchJ : std::nullopt;
    };
    if (joules(a) || joules(b)) // measured on request
        rows.push_back(numeric("energy_per_launch_j", joules(a), joules(b)));
    std::set<std::string> names;
    for (const RunRecord* run : {&a, &b})
        if (run->metrics)
            for (const auto& [name, value] : run->metrics->values)
                names.insert(name);
    const auto metric = [](const RunRecord& run, const std::string& name) -> std::optional<double> {
        if (!run.metrics)
            return {};
        const auto found = run.metrics->values.find(name);
        return found == run.metrics->values.end() ? std::nullopt : found->second;
    };
    for (const std::string& name : names)
        rows.push_back(numeric(name, metric(a, name), metric(b, name)));
    return rows;
}

std::string_view clockState(const RunRecord& run)
{
    for (const Warning& warning : run.warnings)
        if (warning.code == "clock-unlocked" || warning.code == "clock-base")
            return warning.code == "clock-base" ? "locked" : "free";
    return run.imported || run.program ? "" : "locked";
}

std::vector<Difference> environmentDifferences(const RunRecord& a, const RunRecord& b)
{
    const auto sourceWord = [](Source source) { return source == Source::live ? "live" : source == Source::sample ? "sample" : "import"; };
    const auto clock = [](const RunRecord& run) { return run.timing ? run.timing->clockMhz : std::nullopt; };
    std::vector<Difference> rows;
    addIfDifferent(rows, "device", a.device.name, b.device.name);
    addIfDifferent(rows, "device uuid", a.device.uuid, b.device.uuid);
    addIfDifferent(rows, "driver", a.device.driverVersion, b.device.driverVersion);
    addIfDifferent(rows, "source", sourceWord(a.source), sourceWord(b.source));
    addIfDifferent(rows, "problem", toText(a.problem), toText(b.problem));
    addIfDifferent(rows, "source hash", a.sourceHash.substr(0, 12), b.sourceHash.substr(0, 12));
    if (clock(a) != clock(b))
        rows.push_back(numeric("clock_mhz", clock(a), clock(b)));
    addIfDifferent(rows, "clocks", std::string(clockState(a)), std::string(clockState(b)));
    return rows;
}

std::vector<Difference> tunableDifferences(const Address& a, const Address& b)
{
    std::vector<Difference> rows;
    addIfDifferent(rows, "variant", a.variant, b.variant);
    std::set<std::string> names;
    for (const Address* side : {&a, &b})
        for (const auto& [name, value] : side->tunables)
            names.insert(name);
    const auto value = [](const Address& side, const std::string& name) {
        const auto found = side.tunables.find(name);
        return found == side.tunables.end() ? std::string("default") : toText(Params{*found}).substr(name.size() + 1);
    };
    for (const std::string& name : names)
        addIfDifferent(rows, name, value(a, name), value(b, name));
    return rows;
}

} // namespace kl::inline measure
