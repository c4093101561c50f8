// SPDX-License-Identifier: MIT
#include "ui/pages/history/mistakes_card.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace kl::ui {

namespace {

struct Made {
    int shipped = 0;
    int own = 0;
    int caught = 0;
    QString last; ///< evidence in the newest session
};

Made countMistakes(const History& history, const std::string& id)
{
    Made made;
    for (const HistoryRow& row : history.rows)
        for (const Mistake& mistake : row.mistakes) {
            if (mistake.id != id || row.replayed)
                continue;
            (row.sample ? made.shipped : made.own) += mistake.count;
            if (!row.sample) {
                made.caught += mistake.caught;
                made.last = q(row.name) + QStringLiteral(": ") + q(mistake.how);
            }
        }
    return made;
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
    const HistoryTotals& own = history.own;
    setTitle(own.mistakes == 0 ? tr("None of the listed mistakes occurred in this database")
                               : tr("%1 mistakes in this database, %2 of them repeated").arg(own.mistakes).arg(own.repeated));
    setCaption(tr("Counted from session logs. Blind optimizations: %1 (target 0). Time spent on dead ends: %2.")
                   .arg(own.blind)
                   .arg(q(formatMinutes(own.wrongMinutes))));
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
        const Made made = countMistakes(history, kind.id);
        ++at;
        auto* text = makeLabel(q(kind.text), TextRole::body, this);
        text->setWordWrap(true);
        text->setToolTip(made.last.isEmpty() ? tr("Not in this database") : made.last);
        auto* cell = new QWidget(this);
        auto* lines = new QVBoxLayout(cell);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(0);
        lines->addWidget(text);
        auto* prevention = makeLabel(tr("Prevented by %1").arg(q(kind.prevention)), TextRole::caption, cell);
        prevention->setWordWrap(true);
        lines->addWidget(prevention);
        rows_->addWidget(cell, at, 0);
        auto* count = makeLabel(QString::number(made.own), TextRole::body, this);
        setTextToken(count, made.own > 0 ? Token::worse : Token::muted);
        rows_->addWidget(count, at, 1, Qt::AlignRight | Qt::AlignTop);
        rows_->addWidget(makeLabel(QString::number(made.caught), TextRole::body, this), at, 2, Qt::AlignRight | Qt::AlignTop);
    }
}

} // namespace kl::ui
