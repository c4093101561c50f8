// SPDX-License-Identifier: MIT
#include "ui/pages/session/session_pair_card.h"

#include "sessions/report/session_pair.h"
#include "ui/style/theme.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

QComboBox* makeSide(const char* object, const QString& name, QWidget* parent)
{
    auto* side = new QComboBox(parent);
    side->setObjectName(QString::fromLatin1(object));
    side->setAccessibleName(name);
    side->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    side->setMinimumContentsLength(16);
    return side;
}

} // namespace

SessionPairCard::SessionPairCard(QWidget* parent)
    : Card(tr("Compare two sessions"), parent), a_(makeSide("pairA", tr("First session"), this)),
      b_(makeSide("pairB", tr("Second session"), this)), compare_(new ReasonedButton(tr("Compare"), false, this)),
      save_(makeButton(tr("Save comparison…"), false, this)), failure_(makeLabel({}, TextRole::body, this)), table_(new QWidget(this)),
      rows_(new QGridLayout(table_))
{
    auto* choice = new FlowLayout(nullptr, kGapInside, kGapInside);
    for (QWidget* widget :
         {static_cast<QWidget*>(a_), static_cast<QWidget*>(b_), static_cast<QWidget*>(compare_), static_cast<QWidget*>(save_)})
        choice->addWidget(widget);
    body()->addLayout(choice);
    compare_->button()->setObjectName(QStringLiteral("comparePair"));
    save_->setObjectName(QStringLiteral("savePair"));
    save_->hide();
    failure_->setWordWrap(true);
    failure_->hide();
    setTextToken(failure_, Token::worse);
    body()->addWidget(failure_);
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setHorizontalSpacing(kGapBetween);
    rows_->setVerticalSpacing(kGapTight);
    rows_->setColumnStretch(1, 1);
    rows_->setColumnStretch(2, 1);
    body()->addWidget(table_);
    connect(compare_, &ReasonedButton::clicked, this,
            [this] { emit pairRequested(a_->currentData().toString(), b_->currentData().toString()); });
    connect(save_, &QPushButton::clicked, this, &SessionPairCard::saveRequested);
    for (QComboBox* side : {a_, b_})
        connect(side, &QComboBox::currentIndexChanged, this, &SessionPairCard::showReason);
}

void SessionPairCard::setSessions(const std::vector<HistoryRow>& rows)
{
    for (QComboBox* side : {a_, b_}) {
        const QString present = side->currentData().toString();
        side->clear();
        for (const HistoryRow& row : rows)
            side->addItem(row.kernel.empty() ? q(row.name) : QStringLiteral("%1 · %2").arg(q(row.name), q(row.kernel)), q(row.name));
        const int again = side->findData(present);
        // The older one first: what came before, and what came of it.
        side->setCurrentIndex(again >= 0 ? again : std::min(side == a_ ? 1 : 0, side->count() - 1));
    }
    if (rows.size() > 1 && a_->currentIndex() == b_->currentIndex()) { // there was one when they were filled
        a_->setCurrentIndex(1);
        b_->setCurrentIndex(0);
    }
    setVisible(rows.size() > 1);
    showReason();
}

void SessionPairCard::showReason()
{
    compare_->setReason(a_->currentIndex() == b_->currentIndex() ? tr("Choose two sessions.") : QString());
}

void SessionPairCard::setPair(const SessionPair& pair)
{
    failure_->hide();
    clearLayout(rows_);
    const auto cell = [this](const std::string& text, TextRole role, int row, int column) {
        QLabel* label = makeLabel(q(text), role, table_);
        label->setWordWrap(true);
        rows_->addWidget(label, row, column, Qt::AlignTop);
        return label;
    };
    cell(pair.a.row.name, TextRole::card, 0, 1);
    cell(pair.b.row.name, TextRole::card, 0, 2);
    int row = 1;
    for (const PairRow& item : pair.rows) {
        cell(item.title, TextRole::caption, row, 0);
        cell(item.a, TextRole::body, row, 1)->setObjectName(QStringLiteral("a-%1").arg(q(item.id)));
        cell(item.b, TextRole::body, row, 2)->setObjectName(QStringLiteral("b-%1").arg(q(item.id)));
        ++row;
    }
    save_->show();
}

void SessionPairCard::clearPair()
{
    failure_->hide();
    clearLayout(rows_);
    save_->hide();
}

void SessionPairCard::setError(const Error& error)
{
    failure_->setText(q(error.message) + u' ' + q(error.hint));
    failure_->show();
}

} // namespace kl::ui
