// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "sessions/learning/roadmap.h"
#include "sessions/learning/rule_outcomes.h"
#include "ui/models/session_table_model.h"
#include "ui/pages/history/money_card.h"
#include "ui/pages/page.h"

namespace kl::ui {

class ChartCard;
class DataTable;
class HeatStrip;
class MistakesCard;
class RoadmapCard;
class RulesCard;
class StateStack;
class WaterfallChart;
class XYChart;

/// Progress over all sessions: speedup, time, gates, savings, cost, mistakes, the roadmap, and the table of sessions.
class HistoryPage : public Page {
    Q_OBJECT
public:
    explicit HistoryPage(AppContext& context);
    void refresh() override;
    void open(const QString& argument) override; ///< a session's id: selected in the table; "roadmap": scrolled to

private:
    /// Read together, so that the page shows one consistent state.
    struct Data {
        History history;
        MoneyCard::Data money;
        Roadmap roadmap;
        std::vector<RuleCase> cases;
    };
    static Result<Data> load(Engine& engine);
    void show(const History& history);
    void selectAsked();

    BackgroundJob loader_;
    SessionTableModel model_;
    QString asked_;
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
    DataTable* table_ = nullptr;
};

} // namespace kl::ui
