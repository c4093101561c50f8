// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "core/model/run.h"
#include "sessions/report/report.h"
#include "sessions/store/rows.h"
#include "ui/pages/page.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QTabWidget;
class QVBoxLayout;

namespace kl {

class ChartCard;
class DataTable;
class DifferenceModel;
class MarkLabel;
class StackedBar;
class StateStack;
class TimeBars;
class XYChart;

/// Two or more stored runs beside each other: the verdict in a sentence, what differs, the samples, the roofline, the stalls. The first
/// two of the basket are A and B; the verdict is the engine's.
class ComparePage : public Page {
    Q_OBJECT
public:
    explicit ComparePage(AppContext& context);

    /// "run:ID" adds a run to the basket; a comparison's id shows that measured A/B.
    void open(const QString& argument) override;
    void refresh() override;

private:
    struct Loaded {
        std::vector<RunSummary> runs;
        std::vector<RunRecord> basket;
        std::optional<Comparison> comparison;
    };

    static Result<Loaded> load(Engine& engine, std::vector<std::string> basket, const std::string& comparison);
    QWidget* makeBasket();
    QWidget* makeVerdict();
    QTabWidget* makeTabs();
    void show(Loaded loaded);
    void showBasket();
    void showVerdict();
    void showDifferences();
    void showCharts();
    Result<Report> report() const;

    BackgroundJob reading_;
    std::vector<std::string> basket_; ///< run ids, in order
    std::string comparison_;          ///< a measured A/B to show in the verdict's place
    Loaded data_;

    QVBoxLayout* basketRows_;
    QComboBox* picker_;
    StateStack* state_;
    MarkLabel* mark_;
    QLabel* sentence_;
    QLabel* next_;
    QLabel* basis_; ///< statistics, noise, notes
    QCheckBox* all_;
    DifferenceModel* metrics_;
    DifferenceModel* environment_;
    DataTable* metricTable_;
    DataTable* environmentTable_;
    XYChart* samples_;
    ChartCard* samplesCard_;
    XYChart* roofline_;
    StackedBar* stalls_;
    TimeBars* times_;
    ChartCard* timesCard_;
    ChartCard* rooflineCard_;
};

} // namespace kl
