// SPDX-License-Identifier: MIT
#include "ui/pages/home_page.h"

#include "core/base/try.h"
#include "sessions/learning/open_gates.h"
#include "ui/charts/chart_card.h"
#include "ui/import/opened_runs.h"
#include "ui/pages/history_charts.h"
#include "ui/pages/home/start_doors.h"
#include "ui/pages/shared/dashboard_card.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/reflow.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {

HomePage::HomePage(AppContext& context, QWidget* parent) : Page(context, tr("Home"), parent)
{
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kGapBetween);
    columns->setContentsMargins(0, 0, 0, 0);
    auto* whole = new QVBoxLayout;
    whole->setSpacing(kGapBetween);
    QWidget* body = makeScrollingBody(this, whole)->widget();
    doors_ = new StartDoors(context, body);
    auto* content = new QWidget(body);
    content->setLayout(columns);
    state_ = new StateStack(content, body);
    whole->addWidget(doors_);
    whole->addWidget(state_, 1);
    auto* left = new QVBoxLayout;
    left->setSpacing(kGapBetween);
    left->addWidget(makeNextCard(content));
    left->addWidget(makeFigures(content));
    auto* lower = new QVBoxLayout;
    lower->setSpacing(kGapBetween);
    lower->addWidget(makeChart(content), 1);
    lower->addWidget(makeSessions(content));
    dashboard_ = new DashboardCard(content);
    lower->addWidget(dashboard_);
    left->addLayout(lower, 1);
    columns->addLayout(left, 3);
    columns->addWidget(makeSide(content), 1);
    new Reflow(columns, this);
}

Result<HomePage::Data> HomePage::load(Engine& engine)
{
    Data found;
    KL_ASSIGN(auto history, loadHistory(*engine.store, kShownSessions));
    found.history = std::move(history);
    addOpenGates(found.history.rows, *engine.store, engine.bench.catalog());
    RunQuery query;
    query.limit = 3;
    KL_ASSIGN(auto runs, engine.store->runs(query));
    found.runs = std::move(runs);
    for (const RunSummary& run : found.runs) { // those of programs and reports have a name there
        const Result<RunRecord> record = engine.store->runWithoutCode(run.id);
        found.kernels.push_back(record ? displayKernel(*record) : run.kernel);
    }
    KL_ASSIGN(auto patterns, engine.store->patterns());
    found.patterns = std::move(patterns);
    KL_ASSIGN(auto roadmap, loadRoadmap(*engine.store));
    found.roadmap = std::move(roadmap);
    found.states = computeStates(found.roadmap.steps, found.history.rows);
    if (const auto open = engine.sessions.latestOpen())
        if (auto view = engine.sessions.view(*open))
            found.open = std::move(*view);
    return found;
}

void HomePage::refresh()
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

QWidget* HomePage::makeNextCard(QWidget* parent)
{
    auto* card = new Card(tr("Next action"), parent);
    card->setTone(QStringLiteral("accent"));
    auto* row = new QHBoxLayout;
    auto* words = new QVBoxLayout;
    nextText_ = makeLabel({}, TextRole::body, card);
    nextText_->setWordWrap(true);
    nextWhy_ = makeLabel({}, TextRole::caption, card);
    nextWhy_->setWordWrap(true);
    words->addWidget(nextText_);
    words->addWidget(nextWhy_);
    nextButton_ = makeButton({}, true, card);
    nextButton_->setObjectName(QStringLiteral("nextAction"));
    connect(nextButton_, &QPushButton::clicked, this, [this] { context().navigate(nextPage_, nextArgument_); });
    row->addLayout(words, 1);
    row->addWidget(nextButton_, 0, Qt::AlignVCenter);
    card->body()->addLayout(row);
    return card;
}

QWidget* HomePage::makeFigures(QWidget* parent)
{
    auto* card = new Card({}, parent);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapBetween);
    for (const QString& name : {tr("Sessions"), tr("Best speedup"), tr("Time saved"), tr("Cost"), tr("Mistakes"), tr("Open alerts")}) {
        figures_.push_back(new KeyFigure(name, card));
        row->addWidget(figures_.back(), 1);
    }
    card->body()->addLayout(row);
    return card;
}

QWidget* HomePage::makeChart(QWidget* parent)
{
    chart_ = new XYChart;
    chart_->setHint({420, 130});
    chartCard_ = new ChartCard(tr("Speedup over sessions"), chart_, parent);
    chartCard_->setMinimumHeight(210); // the labels of target and baseline lie apart
    return chartCard_;
}

QWidget* HomePage::makeSessions(QWidget* parent)
{
    auto* card = new Card(tr("Sessions"), parent);
    table_ = new DataTable(QStringLiteral("home-sessions"), card);
    table_->setWidestColumn(180);
    table_->setStretchColumn(SessionTableModel::Objective);
    table_->setOptionalColumns({SessionTableModel::Gain, SessionTableModel::Status, SessionTableModel::Gates, SessionTableModel::Cost,
                                SessionTableModel::Grade, SessionTableModel::Patterns, SessionTableModel::Mistakes},
                               260);
    table_->setWrapped(true);
    table_->setSource(&sessions_);
    table_->setEmptyText(tr("No sessions yet"));
    table_->setAccessibleName(tr("Sessions"));
    table_->setGrowing(static_cast<int>(kMostSessions));
    table_->setLinkColumn(SessionTableModel::Name);
    connect(table_, &DataTable::opened, this, [this](int row) {
        const HistoryRow* session = sessions_.at(row);
        if (session && !session->sample)
            context().navigate(QStringLiteral("session"), q(session->id));
        else if (session)
            context().navigate(QStringLiteral("history"), q(session->id));
    });
    card->body()->addWidget(table_);
    all_ = makeLinkButton({}, card);
    connect(all_, &QPushButton::clicked, this, [this] { context().navigate(QStringLiteral("history")); });
    card->body()->addWidget(all_, 0, Qt::AlignLeft);
    return card;
}

QWidget* HomePage::makeSide(QWidget* parent)
{
    auto* side = new QWidget(parent);
    side->setMinimumWidth(260);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    const auto add = [&](const QString& title) {
        auto* card = new Card(title, side);
        column->addWidget(card);
        return card->body();
    };
    alerts_ = add(tr("Alerts"));
    planned_ = new PlannedCard(side);
    column->addWidget(planned_);
    roadmap_ = add(tr("Roadmap"));
    runs_ = add(tr("Recent runs"));
    patterns_ = add(tr("Most useful patterns"));
    column->addStretch(1);
    return side;
}

} // namespace kl::ui
