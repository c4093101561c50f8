// SPDX-License-Identifier: MIT
#include "ui/models/metric_rows.h"

#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/device/metric_sections.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <cmath>
#include <map>
#include <set>

namespace kl::ui {
namespace {

std::optional<double> valueIn(const RunRecord& run, const std::string& name)
{
    if (!run.metrics)
        return {};
    const auto found = run.metrics->values.find(name);
    return found == run.metrics->values.end() ? std::nullopt : found->second;
}

/// The counter's share of its peak: "sm__inst_executed.sum" is that of "sm__inst_executed.avg.pct_of_peak_sustained_elapsed".
std::optional<double> computePeakPercent(const RunRecord& run, const std::string& name)
{
    if (name.find(".pct_of_peak_") != std::string::npos)
        return valueIn(run, name);
    const std::string counter = name.substr(0, name.find('.'));
    for (const char* rollup : {".avg.", ".sum."})
        for (const char* span : {"pct_of_peak_sustained_elapsed", "pct_of_peak_sustained_active"})
            if (const auto percent = valueIn(run, counter + rollup + span))
                return percent;
    return {};
}

MetricRow describeMetric(const RunRecord& run, const RunRecord* baseline, const std::string& name)
{
    MetricRow row;
    row.name = name;
    row.value = valueIn(run, name);
    if (const MetricInfo* info = findMetric(name)) {
        row.label = q(info->title);
        row.unit = q(info->unit);
        row.meaning = q(info->help);
    } else {
        row.unit = guessUnit(name);
    }
    row.percent = computePeakPercent(run, name);
    if (!row.value && run.metrics)
        if (const auto why = run.metrics->missing.find(name); why != run.metrics->missing.end())
            row.text = q(why->second);
    if (baseline)
        row.baseline = valueIn(*baseline, name);
    if (row.value && row.baseline && *row.baseline != 0)
        row.change = (*row.value - *row.baseline) / *row.baseline;
    return row;
}

bool isKnown(const RunRecord& run, const std::string& name)
{
    return run.metrics->values.contains(name) || run.metrics->missing.contains(name);
}

/// "l1tex" of "l1tex__t_sectors.sum".
std::string findGpuUnit(const std::string& name)
{
    return name.substr(0, name.find("__"));
}

} // namespace

QString guessUnit(const std::string& name)
{
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    const auto ends = [&](const char* part) { return name.ends_with(part); };
    if (has(".pct") || ends("_pct"))
        return QStringLiteral("%");
    if (ends(".ratio") || ends(".max_rate") || has(".per_cycle") || has(".peak_"))
        return {};
    const bool bytes = has("bytes") || has("_mem_size") || has("shared_mem_per_block") || has("cache_size") || has("stack_size");
    if (ends(".per_second"))
        return bytes ? QStringLiteral("bytes/s") : has("cycles") ? QStringLiteral("Hz") : QStringLiteral("1/s");
    if (has("time_duration") || has("_time."))
        return QStringLiteral("ns");
    return bytes ? QStringLiteral("bytes") : QString();
}

QString formatExact(double value)
{
    constexpr double kLargestWhole = 1e15;
    if (value == std::floor(value) && std::abs(value) < kLargestWhole)
        return q(formatCount(value));
    return figureWithMark(QString::number(value, 'g', 7));
}

std::vector<MetricGroup> metricGroups(const RunRecord& run, const RunRecord* baseline)
{
    std::vector<MetricGroup> groups;
    if (!run.metrics)
        return groups;
    std::set<std::string> placed;
    for (const MetricSection& section : metricSections()) {
        MetricGroup group{q(section.title), q(section.help), {}};
        for (const std::string& name : section.metrics)
            if (isKnown(run, name)) {
                group.rows.push_back(describeMetric(run, baseline, name));
                placed.insert(name);
            }
        if (!group.rows.empty())
            groups.push_back(std::move(group));
    }
    std::map<std::string, MetricGroup> others;
    for (const auto& [name, value] : run.metrics->values)
        if (!placed.contains(name))
            others[findGpuUnit(name)].rows.push_back(describeMetric(run, baseline, name));
    for (auto& [unit, group] : others) {
        group.title = QCoreApplication::translate("MetricRows", "Other: %1").arg(q(unit));
        groups.push_back(std::move(group));
    }
    if (run.imported && !run.imported->texts.empty()) {
        MetricGroup group{QCoreApplication::translate("MetricRows", "Texts"), {}, {}};
        for (const auto& [name, text] : run.imported->texts) {
            MetricRow row;
            row.name = name;
            row.text = q(text);
            group.rows.push_back(std::move(row));
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace kl::ui
