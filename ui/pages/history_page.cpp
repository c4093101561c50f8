// SPDX-License-Identifier: MIT
#include "ui/pages/history_page.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/learning/open_gates.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/heat_strip.h"
#include "ui/charts/waterfall_chart.h"
#include "ui/jobs/in_turns.h"
#include "ui/pages/history/mistakes_card.h"
#include "ui/pages/history/regressions_card.h"
#include "ui/pages/history/roadmap_card.h"
#include "ui/pages/history/rules_card.h"
#include "ui/pages/history/session_story.h"
#include "ui/pages/report_button.h"
#include "ui/pages/shared/dashboard_card.h"
#include "ui/pages/shared/run_actions.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/layout_pause.h"
#include "ui/widgets/reflow.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QCursor>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <memory>

namespace kl::ui {

namespace {

constexpr int kMostRows = 40; ///< in the table before it gets its own scroll bar

/// Learning rate, convergence and the expert's lead, those that are known.
QString minutesCaption(const History& history)
{
    QStringList words;
    if (history.learningRate)
        words
            << HistoryPage::tr("Mean time saved from session to session: %1 (goal 30 to 50 %)").arg(q(formatChange(*history.learningRate)));
    if (history.gap && history.gap->minutesLow > 0)
        words << HistoryPage::tr("%1 took %2 longer than the expert's 2 h")
                     .arg(q(history.gap->session), q(formatMinutes(history.gap->minutesLow)));
    if (const std::optional<QuotedGoal>& goal = history.goal)
        words << HistoryPage::tr("The goal of %1 is %2 less than %3")
                     .arg(q(goal->session), q(formatPercent(std::round(100 * goal->reduction))), q(goal->before));
    if (!history.convergence.sessions)
        words << HistoryPage::tr("No convergence estimate: %1. The October 2025 documents expect %2 to %3 sessions.")
                     .arg(q(history.convergence.why))
                     .arg(kQuotedConvergenceLow)
                     .arg(kQuotedConvergenceHigh);
    return words.join(QStringLiteral(". "));
}

} // namespace

HistoryPage::HistoryPage(AppContext& context, QWidget* parent)
    : Page(context, tr("History"), parent), speedup_(new XYChart), minutes_(new XYChart), gates_(new HeatStrip),
      savings_(new WaterfallChart), cost_(new XYChart)
{
    addAction(makeReportButton(context, this, tr("Save report…"), QStringLiteral("history.html"),
                               [&context] { return historyReport(context.store()); }));
    auto* whole = new QVBoxLayout;
    QWidget* body = makeScrollingBody(this, whole)->widget();
    auto* content = new QWidget(body);
    state_ = new StateStack(content, body);
    whole->addWidget(state_);
    auto* rows = new QVBoxLayout(content);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kGapBetween);
    speedupCard_ = new ChartCard(tr("Speedup over sessions"), speedup_, content);
    minutesCard_ = new ChartCard(tr("Minutes per session"), minutes_, content);
    gatesCard_ = new ChartCard(tr("Gate outcomes"), gates_, content);
    savingsCard_ = new ChartCard(tr("Savings by pattern"), savings_, content);
    costCard_ = new ChartCard(tr("Cost per session"), cost_, content);
    mistakes_ = new MistakesCard(content);
    money_ = new MoneyCard(context, content);
    roadmap_ = new RoadmapCard(context, content);
    rules_ = new RulesCard(content);
    dashboard_ = new DashboardCard(content);
    planned_ = new PlannedCard(content);
    regressions_ = new RegressionsCard(context, content);
    story_ = new SessionStory(content);
    connect(story_, &SessionStory::patternRequested, this,
            [this](const QString& slug) { this->context().navigate(QStringLiteral("patterns"), slug); });
    for (ChartCard* card : {speedupCard_, minutesCard_, costCard_})
        card->setMinimumHeight(290);
    tableCard_ = new Card(tr("All sessions"), content);
    tableCard_->setCaption(
        tr("Tooltips give the origin of each value: measured, claimed, derived (~), or planned. Select a session to read about it."));
    table_ = new DataTable(QStringLiteral("history-sessions"), tableCard_);
    table_->setStretchColumn(SessionTableModel::Objective);
    table_->setOptionalColumns(
        {SessionTableModel::Patterns, SessionTableModel::Gates, SessionTableModel::Mistakes, SessionTableModel::Grade}, 240);
    table_->setWrapped(true);
    table_->setSource(&model_);
    table_->setEmptyText(tr("No sessions yet"));
    table_->setAccessibleName(tr("All sessions"));
    table_->setGrowing(kMostRows);
    table_->setLinkColumn(SessionTableModel::Name, [this](int row) { return model_.at(row) && !model_.at(row)->sample; });
    connect(table_, &DataTable::opened, this, [this](int row) {
        if (const HistoryRow* session = model_.at(row); session && !session->sample)
            this->context().navigate(QStringLiteral("session"), q(session->id));
    });
    connect(table_, &DataTable::chosen, this, &HistoryPage::tell);
    table_->setSecondAction(tr("Rename, tag or delete…"));
    connect(table_, &DataTable::secondAction, this, [this](int row) {
        const HistoryRow* session = model_.at(row);
        if (!session || session->sample)
            return;
        QMenu menu(table_);
        addSessionActions(menu, this->context(), {session->id}, this, [this] { refresh(); });
        menu.exec(QCursor::pos());
    });
    tableCard_->body()->addWidget(table_);
    auto* figures = new QWidget(content);
    auto* column = new QVBoxLayout(figures);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    column->addWidget(dashboard_);
    column->addWidget(planned_);
    column->addStretch(1);
    const auto addPair = [&](QWidget* left, QWidget* right) {
        auto* row = new QHBoxLayout;
        row->setSpacing(kGapBetween);
        row->addWidget(left, 1);
        row->addWidget(right, 1);
        rows->addLayout(row);
        new Reflow(row, this);
    };
    addPair(speedupCard_, minutesCard_);
    addPair(gatesCard_, savingsCard_);
    addPair(costCard_, mistakes_);
    rows->addWidget(tableCard_);
    addPair(story_, figures);
    addPair(money_, roadmap_);
    addPair(regressions_, rules_);
}

void HistoryPage::open(const QString& argument)
{
    requested_ = argument;
}

Result<HistoryPage::Data> HistoryPage::load(Engine& engine)
{
    KL_ASSIGN(auto history, loadHistory(*engine.store, kShownSessions));
    addOpenGates(history.rows, *engine.store, engine.bench.catalog());
    KL_ASSIGN(auto money, MoneyCard::load(*engine.store));
    KL_ASSIGN(auto roadmap, loadRoadmap(*engine.store));
    KL_ASSIGN(auto cases, engine.ruleCases());
    KL_ASSIGN(auto slower, regressions(*engine.store));
    auto states = computeStates(roadmap.steps, history.rows);
    auto speedup = speedupChart(history, true);
    auto minutes = minutesChart(history);
    auto cost = costChart(history);
    return Data{std::move(history), std::move(money),   std::move(roadmap), std::move(states), std::move(cases),
                std::move(slower),  std::move(speedup), std::move(minutes), std::move(cost)};
}

void HistoryPage::refresh()
{
    state_->showLoading();
    context().read(
        loader_, [](Engine& engine, const Job&) { return load(engine); },
        [this](Result<Data> found) {
            if (!found) {
                state_->showError(found.error(), [this] { refresh(); });
                return;
            }
            show(std::make_shared<const Data>(std::move(*found)));
        });
}

void HistoryPage::show(const std::shared_ptr<const Data>& found)
{
    const auto part = [this, found](auto does) {
        return [this, found, does] {
            const LayoutPause pause(*this);
            does(*found);
        };
    };
    doInTurns(loader_, {part([this](const Data& of) { showChart(of.speedup, *speedup_, *speedupCard_); }), part([this](const Data& of) {
                            showChart(of.minutes, *minutes_, *minutesCard_);
                            minutesCard_->setCaption(minutesCaption(of.history));
                        }),
                        part([this](const Data& of) { showChart(of.cost, *cost_, *costCard_); }),
                        part([this](const Data& of) { showGates(of.history); }), part([this](const Data& of) { showSavings(of.history); }),
                        part([this](const Data& of) { showSessions(of.history); }), part([this](const Data& of) {
                            dashboard_->show(of.history);
                            planned_->show(of.history);
                            mistakes_->show(of.history);
                            money_->show(of.history, of.money);
                        }),
                        part([this](const Data& of) { roadmap_->show(of.roadmap, of.states); }), part([this](const Data& of) {
                            rules_->show(of.cases);
                            regressions_->show(of.slower);
                        }),
                        part([this](const Data&) {
                            state_->showContent();
                            selectRequested();
                        })});
}

void HistoryPage::showChart(const HistoryChart& chart, XYChart& body, ChartCard& card)
{
    body.setSpec(chart.spec);
    card.setFinding(chart.title);
}

void HistoryPage::showGates(const History& history)
{
    // Each kind of session has gates of its own: two with one id and different titles are two rows.
    const std::vector<std::string> titles = gateTitles(history.rows);
    QStringList gateNames;
    QStringList columns;
    std::vector<std::vector<Mark>> cells(titles.size());
    int passed = 0;
    int judged = 0;
    for (const std::string& title : titles)
        gateNames << q(title);
    for (const HistoryRow& row : history.rows) {
        columns << q(row.name);
        for (std::size_t i = 0; i < titles.size(); ++i) {
            const auto gate = std::ranges::find(row.gates, titles[i], formatTitle);
            const Mark mark = gate == row.gates.end() ? Mark::none : parseMark(gate->result);
            cells[i].push_back(mark);
            judged += mark != Mark::none;
            passed += mark == Mark::pass;
        }
    }
    gates_->setCells(gateNames, columns, std::move(cells), tr("No sessions yet"));
    gatesCard_->setFinding(judged ? tr("%1 of %2 recorded gates passed").arg(passed).arg(judged) : tr("No gate results recorded"));
}

void HistoryPage::showSavings(const History& history)
{
    const auto steps = listSavingSteps(history);
    const Waterfall sums = waterfall(steps);
    savings_->setSteps(steps, tr("No patterns applied yet"));
    savingsCard_->setFinding(
        sums.measuredTotal > 0 && sums.quotedTotal > 0 ? tr("Patterns saved %1 measured here; the October 2025 documents claim %2")
                                                             .arg(q(formatMinutes(sums.measuredTotal)), q(formatMinutes(sums.quotedTotal)))
        : sums.measuredTotal > 0 ? tr("Patterns saved %1, measured by stage").arg(q(formatMinutes(sums.measuredTotal)))
        : sums.quotedTotal > 0
            ? tr("The October 2025 documents claim %1 saved; nothing measured here yet").arg(q(formatMinutes(sums.quotedTotal)))
            : tr("Savings by pattern"));
    QStringList derived;
    for (const HistoryRow& row : history.rows)
        if (const auto saved = findFirst(row.savedMinutes, FigureKind::derived); saved && *saved > 0)
            derived << q(row.name) + u' ' + q(formatMinutes(*saved));
    savingsCard_->setCaption(derived.isEmpty() ? QString()
                                               : tr("Derived values (not plotted): %1").arg(derived.join(QStringLiteral(", "))));
}

void HistoryPage::showSessions(const History& history)
{
    patterns_ = history.patterns;
    tableCard_->setTitle(history.more ? tr("Newest %1 sessions").arg(history.own.sessions) : tr("All sessions"));
    model_.setRows(history.rows);
    tell(static_cast<int>(history.rows.empty() ? -1 : 0));
}

void HistoryPage::tell(int row)
{
    story_->show(model_.at(row), patterns_);
}

void HistoryPage::selectRequested()
{
    for (const auto& [word, card] :
         std::initializer_list<std::pair<const char*, QWidget*>>{{"roadmap", roadmap_}, {"regressions", regressions_}, {"money", money_}})
        if (auto* area = findChild<QScrollArea*>(); area && requested_ == QLatin1String(word)) // after the layout has settled
            QTimer::singleShot(0, card, [card = card, area] { area->ensureWidgetVisible(card); });
    for (int row = 0; row < model_.rowCount() && !requested_.isEmpty(); ++row)
        if (q(model_.at(row)->id) == requested_)
            table_->selectRow(row);
    requested_.clear();
}

} // namespace kl::ui
