// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "sessions/learning/regressions.h"
#include "sessions/learning/roadmap.h"
#include "sessions/learning/rule_outcomes.h"
#include "ui/models/session_table_model.h"
#include "ui/pages/history/money_card.h"
#include "ui/pages/history_charts.h"
#include "ui/pages/page.h"

namespace kl::ui {

class Card;
class ChartCard;
class DashboardCard;
class DataTable;
class HeatStrip;
class MistakesCard;
class PlannedCard;
class RegressionsCard;
class RoadmapCard;
class RulesCard;
class SessionStory;
class StateStack;
class WaterfallChart;
class XYChart;

/// Progress over all sessions: speedup, time, gates, savings, cost, mistakes, regressions, the roadmap, the dashboard, and the table of
/// sessions with what each of them tells.
class HistoryPage : public Page {
    Q_OBJECT
public:
    explicit HistoryPage(AppContext& context, QWidget* parent = nullptr);
    void refresh() override;
    void open(const QString& argument) override; ///< a session's id: selected in the table; "roadmap", "regressions": scrolled to

private:
    /// Read together, so that the page shows one consistent state.
    struct Data {
        History history;
        MoneyCard::Data money;
        Roadmap roadmap;
        std::vector<StepState> states; ///< of its steps
        std::vector<RuleCase> cases;
        std::vector<KernelRegression> slower;
        HistoryChart speedup;
        HistoryChart minutes;
        HistoryChart cost;
    };
    static Result<Data> load(Engine& engine);
    /// Parts of show(), each short enough for keys to wait for.
    void show(const std::shared_ptr<const Data>& found);
    static void showChart(const HistoryChart& chart, XYChart& body, ChartCard& card);
    void showGates(const History& history);
    void showSavings(const History& history);
    void showSessions(const History& history);
    void selectRequested();
    void tell(int row);

    BackgroundJob loader_;
    SessionTableModel model_;
    std::vector<PatternReturn> patterns_; ///< for their titles
    QString requested_;
    StateStack* state_ = nullptr;
    XYChart* speedup_;
    XYChart* minutes_;
    HeatStrip* gates_;
    WaterfallChart* savings_;
    XYChart* cost_;
    ChartCard* speedupCard_ = nullptr;
    ChartCard* minutesCard_ = nullptr;
    ChartCard* gatesCard_ = nullptr;
    ChartCard* savingsCard_ = nullptr;
    ChartCard* costCard_ = nullptr;
    MistakesCard* mistakes_ = nullptr;
    MoneyCard* money_ = nullptr;
    RoadmapCard* roadmap_ = nullptr;
    RulesCard* rules_ = nullptr;
    DashboardCard* dashboard_ = nullptr;
    PlannedCard* planned_ = nullptr;
    RegressionsCard* regressions_ = nullptr;
    SessionStory* story_ = nullptr;
    Card* tableCard_ = nullptr;
    DataTable* table_ = nullptr;
};

} // namespace kl::ui
