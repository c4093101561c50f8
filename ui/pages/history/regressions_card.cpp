// SPDX-License-Identifier: MIT
#include "ui/pages/history/regressions_card.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

QString stateText(RegressionState state)
{
    switch (state) {
    case RegressionState::open: return RegressionsCard::tr("open");
    case RegressionState::acknowledged: return RegressionsCard::tr("acknowledged");
    case RegressionState::fixed: return RegressionsCard::tr("fixed");
    case RegressionState::newNormal: break;
    }
    return RegressionsCard::tr("new normal");
}

/// What markRegression() finds the series by.
std::string nameSeries(const KernelRegression& row)
{
    return "run:" + (row.firstRun.empty() ? row.newest : row.firstRun);
}

} // namespace

RegressionsCard::RegressionsCard(AppContext& context, QWidget* parent)
    : Card(tr("Regressions"), parent), context_(context), rows_(new QVBoxLayout)
{
    setCaption(tr("At least 10 runs on a GPU set the reference time. Two consecutive runs that differ by more than 1 % and by more than "
                  "the noise count as a change."));
    rows_->setSpacing(kGapInside);
    body()->addLayout(rows_);
    body()->addStretch(1);
}

void RegressionsCard::show(const std::vector<KernelRegression>& rows)
{
    clearLayout(rows_);
    const auto open = std::ranges::count(rows, RegressionState::open, &KernelRegression::state);
    setTitle(rows.empty() ? tr("No kernel became slower") : open == 0 ? tr("No open regression") : tr("%1 open regressions").arg(open));
    for (const KernelRegression& row : rows)
        rows_->addWidget(makeRegression(row));
}

QWidget* RegressionsCard::makeRegression(const KernelRegression& row)
{
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapTight);
    QPushButton* kernel = makeLinkButton(q(row.kernel), box);
    connect(kernel, &QPushButton::clicked, this, [this, run = q(row.newest)] { context_.navigate(QStringLiteral("diagnose"), run); });
    auto* head = new QHBoxLayout;
    head->addWidget(kernel);
    const bool slower = row.levelNs > 0;
    QLabel* slowdown = makeLabel(
        slower ? tr("%1 → %2, %3 slower").arg(q(formatTime(row.levelNs)), q(formatTime(row.afterNs)), q(formatPercent(100 * row.change)))
               : tr("not slower now"),
        TextRole::body, box);
    if (row.state == RegressionState::open)
        setTextToken(slowdown, Token::worse);
    head->addWidget(slowdown, 1);
    column->addLayout(head);
    QLabel* facts = makeLabel(
        tr("%1 · %2 · since %3 · %4").arg(spaceProblem(row.problem), q(row.device), absoluteTime(row.since), stateText(row.state)) +
            (row.note.empty() ? QString() : QStringLiteral(": ") + q(row.note)),
        TextRole::caption, box);
    facts->setObjectName(QStringLiteral("regressionState"));
    facts->setWordWrap(true);
    column->addWidget(facts);
    auto* note = new QLineEdit(box);
    note->setObjectName(QStringLiteral("regressionNote"));
    note->setPlaceholderText(tr("Why (optional)"));
    note->setAccessibleName(tr("Note on the regression of %1").arg(q(row.kernel)));
    note->setVisible(slower);
    auto* buttons = new QHBoxLayout;
    const QString reason = context_.writeReason();
    const auto add = [&](const char* name, const QString& words, auto work) {
        QPushButton* button = makeButton(words, false, box);
        button->setObjectName(QString::fromLatin1(name));
        button->setEnabled(reason.isEmpty());
        connect(button, &QPushButton::clicked, this, [this, note, work, which = nameSeries(row)] {
            this->change([work, which, words = utf8(note->text().trimmed())](Store& store) { return work(store, which, words); });
        });
        buttons->addWidget(button);
    };
    const auto mark = [](RegressionState state) {
        return [state](Store& store, const std::string& which, const std::string& words) {
            return markRegression(store, which, state, words);
        };
    };
    if (slower) {
        column->addWidget(note);
        if (row.state == RegressionState::open)
            add("acknowledgeRegression", tr("Acknowledge"), mark(RegressionState::acknowledged));
        add("fixedRegression", tr("Fixed"), mark(RegressionState::fixed));
        add("newNormalRegression", tr("New normal"), mark(RegressionState::newNormal));
    }
    if (row.state != RegressionState::open)
        add("undoRegression", tr("Undo"),
            [](Store& store, const std::string& which, const std::string&) { return undoRegressionMark(store, which); });
    buttons->addStretch(1);
    column->addLayout(buttons);
    if (!reason.isEmpty())
        column->addWidget(makeLabel(reason, TextRole::caption, box));
    return box;
}

void RegressionsCard::change(std::function<Result<KernelRegression>(Store&)> work)
{
    context_.run(
        writer_, {}, [work = std::move(work)](Engine& engine, const Job&) { return work(*engine.store); },
        [this](const Result<KernelRegression>& done) {
            if (!done)
                context_.post(done.error(), tr("Could not mark the regression"));
        });
}

} // namespace kl::ui
