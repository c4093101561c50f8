// SPDX-License-Identifier: MIT
#include "core/base/try.h"
#include "sessions/learning/history.h"
#include "sessions/learning/open_gates.h"
#include "sessions/report/report.h"
#include "ui/jobs/in_turns.h"
#include "ui/models/session_table_model.h"
#include "ui/pages/report_button.h"
#include "ui/pages/session/session_pair_card.h"
#include "ui/pages/session_page.h"
#include "ui/style/tokens.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace kl::ui {
namespace {

constexpr int kListedRows = 40; ///< in the table before it gets its own scroll bar

} // namespace

QWidget* SessionPage::makeList(QWidget* parent)
{
    auto* pane = new QWidget(parent);
    auto* column = new QVBoxLayout(pane);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    auto* card = new Card(tr("All sessions"), pane);
    sessions_ = new SessionTableModel(this);
    table_ = new DataTable(QStringLiteral("sessions"), card);
    table_->setWidestColumn(180);
    table_->setStretchColumn(SessionTableModel::Objective);
    table_->setWrapped(true);
    table_->setOptionalColumns(
        {SessionTableModel::Cost, SessionTableModel::Mistakes, SessionTableModel::Grade, SessionTableModel::Patterns}, 180);
    table_->setSource(sessions_);
    table_->setEmptyText(tr("No sessions yet"));
    table_->setAccessibleName(tr("All sessions"));
    table_->setGrowing(kListedRows);
    table_->setLinkColumn(SessionTableModel::Name);
    card->body()->addWidget(table_);
    listState_ = new StateStack(card, pane);
    column->addWidget(listState_);
    pairCard_ = new SessionPairCard(pane);
    column->addWidget(pairCard_);
    column->addStretch(1);
    connect(table_, &DataTable::opened, this, [this](int row) {
        const HistoryRow* chosen = sessions_->at(row);
        if (chosen && !chosen->sample)
            open(q(chosen->id)), refresh();
        else if (chosen) // its events are not recorded: History has what is known
            context().navigate(QStringLiteral("history"), q(chosen->id));
    });
    connect(pairCard_, &SessionPairCard::pairRequested, this, &SessionPage::comparePair);
    connect(pairCard_, &SessionPairCard::saveRequested, this, [this] {
        if (pair_)
            saveReport(context(), this, QStringLiteral("%1-%2.html").arg(q(pair_->a.row.name), q(pair_->b.row.name)),
                       [pair = *pair_]() -> Result<Report> { return pairReport(pair); });
    });
    return pane;
}

void SessionPage::showList()
{
    session_.clear();
    forming_ = false;
    view_.reset();
    loadList();
}

void SessionPage::loadList()
{
    setTitle(tr("Sessions"));
    showPane(Pane::list);
    listState_->showLoading();
    context().read(
        reading_,
        [](Engine& engine, const Job&) -> Result<std::vector<HistoryRow>> {
            KL_ASSIGN(History history, loadHistory(*engine.store, kShownSessions));
            addOpenGates(history.rows, *engine.store, engine.bench.catalog());
            return std::move(history.rows);
        },
        [this](Result<std::vector<HistoryRow>> rows) {
            if (!rows) {
                listState_->showError(rows.error(), [this] { loadList(); });
                return;
            }
            std::reverse(rows->begin(), rows->end());
            const auto shown = std::make_shared<std::vector<HistoryRow>>(std::move(*rows));
            doInTurns(reading_, {[this, shown] { pairCard_->setSessions(*shown); },
                                 [this, shown] {
                                     sessions_->setRows(std::move(*shown));
                                     listState_->showContent();
                                 }});
        });
}

void SessionPage::comparePair(const QString& a, const QString& b)
{
    context().read(
        pairing_,
        [a = utf8(a), b = utf8(b)](Engine& engine, const Job&) -> Result<SessionPair> {
            KL_ASSIGN(const SessionId first, engine.sessions.find(a));
            KL_ASSIGN(const SessionId second, engine.sessions.find(b));
            return compareSessions(*engine.store, engine.bench.catalog(), first, second);
        },
        [this](Result<SessionPair> pair) {
            if (!pair) {
                pairCard_->setError(pair.error());
                return;
            }
            pairCard_->setPair(*pair);
            pair_ = std::move(*pair);
        });
}

} // namespace kl::ui
