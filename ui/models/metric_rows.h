// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace kl::ui {

/// One metric of a run.
struct MetricRow {
    std::string name;              ///< CUPTI's or the report's
    QString label;                 ///< "achieved occupancy"; empty for a metric that the catalog does not have
    std::optional<double> value;   ///< in the base unit
    QString text;                  ///< of a metric whose value is a text; why a value is missing
    QString unit;                  ///< base unit: "ns", "bytes", "%"; empty for a count
    std::optional<double> percent; ///< of its peak, 0 to 100, by the metric of the same counter that says so
    QString meaning;
    std::optional<double> baseline; ///< of the run that it is compared with
    std::optional<double> change;   ///< (value − baseline) / baseline; unset for a baseline of 0
};

/// Metrics that answer one question.
struct MetricGroup {
    QString title;
    QString help;
    std::vector<MetricRow> rows;
};

/// Every metric of the run: those of resources/sections.json in their sections (a metric of two sections is in both), then the others by
/// the unit of the GPU that counts them, then the texts of a report. `baseline` may be null.
std::vector<MetricGroup> metricGroups(const RunRecord& run, const RunRecord* baseline);

/// Base unit by a metric's name, for those that the catalog does not have: "%" of "….pct", "bytes" of "…bytes….sum".
QString guessUnit(const std::string& name);

/// A value with all its digits: grouped if whole, else up to seven significant ones.
QString formatExact(double value);

} // namespace kl::ui
