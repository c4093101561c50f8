// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/run.h"

#include <QTabWidget>

#include <vector>

class QCheckBox;

namespace kl::ui {

class ChartCard;
class DataTable;
class DifferenceModel;
class StackedBar;
class TimeBars;
class XYChart;

/// The comparison in tabs: times and samples, metrics, roofline, stalls, tunables and environment.
class CompareTabs : public QTabWidget {
    Q_OBJECT
public:
    explicit CompareTabs(QWidget* parent = nullptr);

    /// The first two runs are A and B of the comparison. Any number of runs is valid.
    void show(const Comparison& comparison, const std::vector<RunRecord>& runs);

private:
    QWidget* makeTimes();
    QWidget* makeMetrics();
    void showDifferences();

    Comparison comparison_;
    QString a_;
    QString b_;

    QCheckBox* all_;
    DifferenceModel* metrics_;
    DifferenceModel* environment_;
    DataTable* environmentTable_;
    XYChart* samples_;
    XYChart* roofline_;
    StackedBar* stalls_;
    TimeBars* times_;
    ChartCard* timesCard_;
    ChartCard* samplesCard_;
    ChartCard* rooflineCard_;
    ChartCard* stallsCard_;
};

} // namespace kl::ui
