// SPDX-License-Identifier: MIT
#include "ui/pages/history_page.h"

#include "core/base/format.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/heat_strip.h"
#include "ui/charts/waterfall_chart.h"
#include "ui/pages/history_charts.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QItemSelectionModel>

namespace kl {

HistoryPage::HistoryPage(AppContext& context)
    : Page(context, tr("History")), speedup_(new XYChart), minutes_(new XYChart), gates_(new HeatStrip), savings_(new WaterfallChart)
{
    auto* content = new QWidget(this);
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(kGapBetween);
    speedupCard_ = new ChartCard(tr("Speedup over sessions"), speedup_, content);
    minutesCard_ = new ChartCard(tr("Minutes a session"), minutes_, content);
    gatesCard_ = new ChartCard(tr("Gate outcomes"), gates_, content);
    savingsCard_ = new ChartCard(tr("Savings by pattern"), savings_, content);
    for (ChartCard* card : {speedupCard_, minutesCard_})
        card->setMinimumHeight(290);
    auto* tableCard = new Card(tr("Every session"), content);
    tableCard->setCaption(tr("A figure's origin is in its tooltip: measured, quoted, derived (~) or planned."));
    table_ = new DataTable(QStringLiteral("history-sessions"), tableCard);
    table_->setStretchColumn(SessionTableModel::Objective);
    table_->setSource(&model_);
    table_->setAccessibleName(tr("Every session"));
    table_->setMinimumHeight(table_->heightFor(8));
    connect(table_, &DataTable::opened, this, [this](int row) {
        if (const HistoryRow* session = model_.at(row); session && !session->sample)
            this->context().navigate(QStringLiteral("session"), q(session->id));
    });
    tableCard->body()->addWidget(table_, 1);
    grid->addWidget(speedupCard_, 0, 0);
    grid->addWidget(minutesCard_, 0, 1);
    grid->addWidget(gatesCard_, 1, 0);
    grid->addWidget(savingsCard_, 1, 1);
    grid->addWidget(tableCard, 2, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(2, 1);
    state_ = new StateStack(content, this);
    auto* whole = new QVBoxLayout;
    whole->addWidget(state_);
    makeScrollingBody(this, whole);
}

void HistoryPage::open(const QString& argument)
{
    asked_ = argument;
}

void HistoryPage::refresh()
{
    state_->showLoading();
    context().read(
        loader_, [](Engine& engine, const Job&) { return loadHistory(*engine.store); },
        [this](Result<History> history) {
            if (!history) {
                state_->showError(history.error(), [this] { refresh(); });
                return;
            }
            show(*history);
            state_->showContent();
        });
}

void HistoryPage::show(const History& history)
{
    HistoryChart speedup = speedupChart(history, true);
    speedup_->setSpec(std::move(speedup.spec));
    speedupCard_->setFinding(speedup.title);
    HistoryChart minutes = minutesChart(history);
    minutes_->setSpec(std::move(minutes.spec));
    minutesCard_->setFinding(minutes.title);
    minutesCard_->setCaption(history.learningRate
                                 ? tr("Mean time saved from one session to the next: %1").arg(q(formatChange(*history.learningRate)))
                                 : QString());
    const QStringList gateNames{tr("G1 environment"), tr("G2 speedup"), tr("G3 bottleneck"), tr("G4 correct"), tr("G5 keep")};
    QStringList columns;
    std::vector<std::vector<Mark>> cells(5);
    int passed = 0;
    int judged = 0;
    for (const HistoryRow& row : history.rows) {
        columns << q(row.name);
        const auto marks = gateMarks(row);
        for (std::size_t i = 0; i < 5; ++i) {
            cells[i].push_back(marks[i]);
            judged += marks[i] != Mark::none;
            passed += marks[i] == Mark::pass;
        }
    }
    gates_->setCells(gateNames, columns, std::move(cells), tr("No session yet, so no gate was evaluated"));
    gatesCard_->setFinding(judged ? tr("%1 of %2 recorded gate outcomes passed").arg(passed).arg(judged)
                                  : tr("No gate outcome is recorded"));
    const auto steps = savingSteps(history);
    const Waterfall sums = waterfall(steps);
    savings_->setSteps(steps, tr("No pattern has been applied yet, here or in the shipped history"));
    savingsCard_->setFinding(sums.measuredTotal > 0 ? tr("Patterns saved %1 as measured here; the notes quote %2")
                                                          .arg(q(formatMinutes(sums.measuredTotal)), q(formatMinutes(sums.quotedTotal)))
                             : sums.quotedTotal > 0
                                 ? tr("The notes quote %1 saved; nothing measured here yet").arg(q(formatMinutes(sums.quotedTotal)))
                                 : tr("Savings by pattern"));
    QStringList derived;
    for (const HistoryRow& row : history.rows)
        if (const auto saved = firstOf(row.savedMinutes, FigureKind::derived); saved && *saved > 0)
            derived << q(row.name) + u' ' + q(formatMinutes(*saved));
    savingsCard_->setCaption(derived.isEmpty() ? QString() : tr("Derived, so not drawn: %1").arg(derived.join(QStringLiteral(", "))));
    model_.setRows(history.rows);
    selectAsked();
}

void HistoryPage::selectAsked()
{
    for (int row = 0; row < model_.rowCount() && !asked_.isEmpty(); ++row)
        if (q(model_.at(row)->id) == asked_)
            table_->selectRow(row);
    asked_.clear();
}

} // namespace kl
