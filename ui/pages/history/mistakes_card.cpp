// SPDX-License-Identifier: MIT
#include "ui/pages/history/mistakes_card.h"

#include "core/base/format.h"
#include "sessions/learning/mistake_count.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace kl::ui {

namespace {

/// The newest session that made this mistake, and how; empty where none did.
QString describeLastMade(const History& history, const std::string& id)
{
    QString last;
    for (const HistoryRow& row : history.rows)
        for (const Mistake& mistake : row.mistakes)
            if (mistake.id == id && !row.replayed)
                last = q(row.name) + QStringLiteral(": ") + q(mistake.how);
    return last;
}

} // namespace

MistakesCard::MistakesCard(QWidget* parent) : Card(tr("Mistakes"), parent), rows_(new QGridLayout)
{
    rows_->setColumnStretch(0, 1);
    rows_->setHorizontalSpacing(kGapBetween);
    rows_->setVerticalSpacing(kGapTight);
    body()->addLayout(rows_);
    body()->addStretch(1);
}

void MistakesCard::show(const History& history)
{
    clearLayout(rows_);
    const MistakeTotals all = mistakeTotals(history);
    setTitle(all.made == 0 ? tr("None of the listed mistakes occurred in this database")
                           : tr("%1 mistakes in this database, %2 of them repeated").arg(all.made).arg(all.repeated));
    setCaption(tr("Counted from session logs. Unprofiled changes: %1 (target 0). Time spent on dead ends: %2.")
                   .arg(all.blind)
                   .arg(q(formatMinutes(all.wrongMinutes))));
    int at = 0;
    const auto heading = [&](int column, const QString& words) {
        QLabel* label = makeLabel(words, TextRole::caption, this);
        label->setWordWrap(column == 0); // the column of the texts gives way
        rows_->addWidget(label, 0, column, column == 0 ? Qt::Alignment() : Qt::AlignRight);
    };
    heading(0, history.sampleOrigin.empty() ? tr("Mistake, and what prevents it") : tr("Mistakes of session N, and what prevents them"));
    heading(1, tr("In this database"));
    heading(2, tr("Caught by a rule"));
    for (const MistakeKind& kind : history.mistakes) {
        const MistakeCount count = mistakeCount(history, kind.id);
        const QString last = describeLastMade(history, kind.id);
        ++at;
        auto* text = makeLabel(q(kind.text), TextRole::body, this);
        text->setWordWrap(true);
        text->setToolTip(last.isEmpty() ? tr("Not in this database") : last);
        auto* cell = new QWidget(this);
        auto* lines = new QVBoxLayout(cell);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(0);
        lines->addWidget(text);
        auto* prevention = makeLabel(tr("Prevented by %1").arg(q(kind.prevention)), TextRole::caption, cell);
        prevention->setWordWrap(true);
        lines->addWidget(prevention);
        rows_->addWidget(cell, at, 0);
        auto* made = makeLabel(QString::number(count.made), TextRole::body, this);
        made->setObjectName(QStringLiteral("made-%1").arg(q(kind.id)));
        setTextToken(made, count.made > 0 ? Token::worse : Token::muted);
        rows_->addWidget(made, at, 1, Qt::AlignRight | Qt::AlignTop);
        rows_->addWidget(makeLabel(QString::number(count.caught), TextRole::body, this), at, 2, Qt::AlignRight | Qt::AlignTop);
    }
}

} // namespace kl::ui
