// SPDX-License-Identifier: MIT
#include "profiler/import/ncu_series.h"

#include "core/base/clean_text.h"
#include "core/base/format.h"
#include "core/device/pm_roles.h"
#include "profiler/import/ncu_instances.h"
#include "profiler/import/ncu_result.h"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <map>

namespace kl::ncu {
namespace {

using Type = WireField::Type;

constexpr std::size_t kLeastSamples = 10;     ///< of a launch
constexpr std::size_t kMostSamples = 100'000; ///< of a metric; a sound report has thousands at most

struct Instance {
    std::uint64_t at = 0;
    double value = 0;
};

std::optional<double> figureIn(std::string_view value)
{
    std::optional<double> figure;
    WireReader fields(value);
    for (WireField field; fields.next(field);)
        if (field.is(2, Type::fixed32))
            figure = field.single();
        else if (field.is(3, Type::fixed64))
            figure = field.real();
        else if (field.is(4, Type::varint) || field.is(5, Type::varint))
            figure = static_cast<double>(field.value);
    return figure && std::isfinite(*figure) ? figure : std::nullopt;
}

std::uint64_t timeIn(std::string_view value)
{
    std::uint64_t time = 0;
    WireReader fields(value);
    for (WireField field; fields.next(field);)
        if (field.is(4, Type::varint) || field.is(5, Type::varint))
            time = field.value;
    return time;
}

/// In order of time. The instance at time 0 is that of the whole launch.
std::vector<Instance> readInstances(const RawMetric& metric)
{
    std::vector<Instance> samples;
    eachInstance(metric.whole, [&](std::string_view id, std::string_view value) {
        const std::uint64_t at = timeIn(id);
        const std::optional<double> figure = figureIn(value);
        if (at > 0 && figure && samples.size() < kMostSamples && (samples.empty() || samples.back().at < at))
            samples.push_back({at, *figure});
    });
    return samples;
}

/// Metrics of the same times were sampled together.
struct Group {
    std::vector<PmSeries> series;
    std::vector<double> active;
};

PmPass makePass(const std::vector<std::uint64_t>& times, Group group)
{
    PmPass pass;
    for (const std::uint64_t time : times)
        pass.endNs.push_back(static_cast<double>(time - times.front()));
    pass.series = std::move(group.series);
    if (group.active.empty() && !pass.series.empty())
        group.active = pass.series.front().values;
    return trimToLaunch(std::move(pass), group.active);
}

} // namespace

std::optional<PmSampling> readSeries(const RawResult& kernel, const NameTable& table)
{
    const std::string_view sampledActive = findPmRoleInfo(PmRole::activeSms).bases.front();
    std::map<std::vector<std::uint64_t>, Group> groups;
    for (const RawMetric& metric : kernel.metrics) {
        if (metric.name >= table.names.size())
            continue;
        const std::string& name = table.names[metric.name];
        const bool active = findPmBase(name) == sampledActive;
        if (!active && !findPmRole(name))
            continue;
        const std::vector<Instance> samples = readInstances(metric);
        if (samples.size() < 2)
            continue;
        std::vector<std::uint64_t> times;
        std::vector<double> values;
        for (const Instance& sample : samples) {
            times.push_back(sample.at);
            values.push_back(sample.value);
        }
        Group& group = groups[std::move(times)];
        if (active)
            group.active = values;
        if (findPmRole(name)) {
            for (double& value : values)
                value = std::round(value * 1000) / 1000;
            group.series.push_back({cleanText(name), std::move(values)});
        }
    }
    if (groups.empty())
        return {};
    PmSampling sampling;
    sampling.launch = cleanText(kernel.mangled);
    for (auto& [times, group] : groups) {
        const double interval = static_cast<double>(times.back() - times.front()) / static_cast<double>(times.size() - 1);
        PmPass pass = makePass(times, std::move(group));
        sampling.intervalNs = interval;
        if (pass.endNs.size() >= kLeastSamples)
            sampling.passes.push_back(std::move(pass));
        else
            sampling.unavailable =
                fmt::format("The report's samples are {} apart: {} of them fall into the launch, and at least {} are needed.",
                            formatTime(interval), pass.endNs.size(), kLeastSamples);
    }
    if (!sampling.passes.empty())
        sampling.unavailable.clear();
    return sampling;
}

} // namespace kl::ncu
