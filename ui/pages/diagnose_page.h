// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "sessions/learning/recommend.h"
#include "sessions/learning/rule_outcomes.h"
#include "sessions/store/rows.h"
#include "ui/pages/diagnose/roofline_spec.h"
#include "ui/pages/page.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace kl {

class Card;
class ChartCard;
class DiagnosisSide;
class EvidenceBars;
class HotLinesPanel;
class MemoryChartView;
class StackedBar;
class StateStack;
class TreeView;
class XYChart;

/// What limits one profiled run: the finding in one sentence, the tree with the path taken, the evidence, the roofline, where the time
/// goes, and at the right the fixes, what else was seen, and the facts of the run.
class DiagnosePage : public Page {
    Q_OBJECT
public:
    explicit DiagnosePage(AppContext& context);

    /// A run's id, or a kernel's address to take its newest profile.
    void open(const QString& argument) override;
    void refresh() override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Loaded {
        std::vector<RunSummary> profiles;
        std::optional<RunRecord> run;
        std::vector<RunRecord> family;   ///< newest profile of each other variant on the same problem and device
        std::optional<RuleOutcome> rule; ///< how this finding's estimates came out in this database
        std::optional<Advice> advice;    ///< on `run`; nothing without one
    };

    /// `opened`: runs of files that the store does not hold.
    static Result<Loaded> load(Engine& engine, const std::string& wanted, const std::vector<RunRecord>& opened);
    static Result<Loaded> addAdvice(Loaded loaded, Engine& engine);
    QWidget* makeContent();
    void show(Loaded loaded);
    void showRun();
    void showRoofline();

    BackgroundJob reading_;
    std::string wanted_;
    Loaded data_;

    QComboBox* picker_;
    QPushButton* compare_;
    StateStack* state_;
    QLabel* chips_;
    QLabel* sentence_;
    QLabel* estimate_;
    QBoxLayout* columns_; ///< charts and side
    Card* why_;
    TreeView* tree_;
    QLabel* question_;     ///< what the question asks that was clicked
    QLabel* evidenceHelp_; ///< how the quantity is made that was clicked
    EvidenceBars* evidence_;
    ChartCard* evidenceCard_;
    XYChart* roofline_;
    ChartCard* rooflineCard_;
    EvidenceBars* units_;
    ChartCard* unitsCard_;
    QComboBox* level_;
    MemoryChartView* memory_;
    ChartCard* memoryCard_;
    QLabel* stallMeanings_;
    StackedBar* stalls_;
    ChartCard* stallsCard_;
    HotLinesPanel* hotLines_;
    DiagnosisSide* side_;
};

} // namespace kl
