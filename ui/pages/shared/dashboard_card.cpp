// SPDX-License-Identifier: MIT
#include "ui/pages/shared/dashboard_card.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>

namespace kl::ui {
namespace {

QGridLayout* addRows(Card* card)
{
    auto* rows = new QGridLayout;
    rows->setHorizontalSpacing(kGapBetween);
    rows->setVerticalSpacing(kGapTight);
    card->body()->addLayout(rows);
    card->body()->addStretch(1);
    return rows;
}

QLabel* addCell(QGridLayout* rows, int row, int column, const QString& text, TextRole role)
{
    QLabel* cell = makeLabel(text, role);
    cell->setWordWrap(true);
    rows->addWidget(cell, row, column, Qt::AlignTop);
    return cell;
}

QString formatPlannedTime(const PlannedSession& plan)
{
    const QString low = q(formatMinutes(plan.minutesLow));
    return plan.minutesLow == plan.minutesHigh ? low : PlannedCard::tr("%1 to %2").arg(low, q(formatMinutes(plan.minutesHigh)));
}

} // namespace

DashboardCard::DashboardCard(QWidget* parent) : Card(tr("Dashboard"), parent), rows_(addRows(this))
{
    setObjectName(QStringLiteral("card"));
}

void DashboardCard::show(const History& history)
{
    clearLayout(rows_);
    const bool quoted = !history.sampleOrigin.empty();
    rows_->setColumnStretch(1, 1);
    rows_->setColumnStretch(2, quoted ? 1 : 0);
    addCell(rows_, 0, 1, tr("This database"), TextRole::caption);
    if (quoted)
        addCell(rows_, 0, 2, tr("October 2025 documents"), TextRole::caption);
    int at = 0;
    for (const DashboardRow& row : history.dashboard) {
        ++at;
        addCell(rows_, at, 0, q(row.title), TextRole::body)->setWordWrap(false);
        addCell(rows_, at, 1, q(row.own), TextRole::body)->setObjectName(QStringLiteral("own-") + q(row.id));
        if (!quoted)
            continue;
        QLabel* text = addCell(rows_, at, 2, row.quoted.empty() ? q(kNoValue) : q(row.quoted), TextRole::body);
        text->setObjectName(QStringLiteral("quoted-") + q(row.id));
        text->setToolTip(q(row.source));
    }
}

PlannedCard::PlannedCard(QWidget* parent) : Card(tr("Planned sessions"), parent), rows_(addRows(this)) {}

void PlannedCard::show(const History& history)
{
    clearLayout(rows_);
    setVisible(!history.planned.empty());
    rows_->setColumnStretch(1, 1);
    int at = 0;
    for (const PlannedSession& plan : history.planned) {
        QLabel* name = addCell(rows_, at, 0, q(plan.name), TextRole::body);
        name->setWordWrap(false);
        name->setToolTip(q(plan.source));
        QStringList figures{formatPlannedTime(plan)};
        if (plan.speedup)
            figures << q(formatRatio(*plan.speedup));
        if (!plan.patterns.empty())
            figures << tr("patterns %1").arg(q(plan.patterns));
        addCell(rows_, at, 1, q(plan.objective), TextRole::body);
        addCell(rows_, at + 1, 1,
                figures.join(QStringLiteral(" · ")) + QStringLiteral(" · ") +
                    (plan.became.empty() ? tr("still planned") : tr("became: %1").arg(q(plan.became))),
                TextRole::caption)
            ->setObjectName(QStringLiteral("planned-") + q(plan.name));
        at += 2;
    }
}

} // namespace kl::ui
