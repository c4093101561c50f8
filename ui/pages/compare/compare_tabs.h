// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/run.h"

#include <QTabWidget>

#include <vector>

class QCheckBox;
class QLabel;
class QTableView;

namespace kl::ui {

class ChartCard;
class CodeDiffModel;
class DataTable;
class DifferenceModel;
class StackedBar;
class TimeBars;
class XYChart;

/// The comparison in tabs: times and samples, metrics, roofline, stalls, tunables and environment, and the
/// machine code of A and B side by side where both are known.
class CompareTabs : public QTabWidget {
    Q_OBJECT
public:
    explicit CompareTabs(QWidget* parent = nullptr);

    /// The first two runs are A and B of the comparison. Any number of runs is valid.
    void show(const Comparison& comparison, const std::vector<RunRecord>& runs);

private:
    QWidget* makeTimes();
    QWidget* makeMetrics();
    QWidget* makeCode();
    void showDifferences();
    /// Only while it is looked at: aligning long listings takes time.
    void showCode();

    Comparison comparison_;
    std::vector<RunRecord> sides_; ///< A and B, if the machine code of both is known
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
    QWidget* codePage_;
    CodeDiffModel* code_;
    QLabel* codeSummary_;
    QTableView* codeTable_;
};

} // namespace kl::ui
