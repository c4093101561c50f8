// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "ui/models/session_table_model.h"
#include "ui/pages/page.h"

namespace kl {

class ChartCard;
class DataTable;
class HeatStrip;
class StateStack;
class WaterfallChart;
class XYChart;

/// How it went over the sessions: speedup, minutes, gates, savings, and the table behind them.
class HistoryPage : public Page {
    Q_OBJECT
public:
    explicit HistoryPage(AppContext& context);
    void refresh() override;
    void open(const QString& argument) override; ///< a session's id: selected in the table

private:
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
    ChartCard* speedupCard_ = nullptr;
    ChartCard* minutesCard_ = nullptr;
    ChartCard* gatesCard_ = nullptr;
    ChartCard* savingsCard_ = nullptr;
    DataTable* table_ = nullptr;
};

} // namespace kl
