// SPDX-License-Identifier: MIT
#include "ui/pages/session/claims_card.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

Mark chooseMark(const ClaimView& row)
{
    return !row.reached ? Mark::none : *row.reached >= 1 ? Mark::pass : Mark::fail;
}

QLabel* cell(const std::string& text, TextRole role, QWidget* parent)
{
    QLabel* label = makeLabel(q(text), role, parent);
    label->setWordWrap(true);
    return label;
}

} // namespace

ClaimsCard::ClaimsCard(QWidget* parent)
    : Card(tr("Claims"), parent), rows_(new QWidget(this)), grid_(new QGridLayout(rows_)), entry_(new QWidget(this)),
      source_(new QLineEdit(entry_)), figure_(new QLineEdit(entry_)), add_(new ReasonedButton(tr("Add claim"), false, entry_))
{
    setCaption(tr("Claims from other sources, next to what this session measures."));
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(kGapBetween);
    grid_->setColumnStretch(0, 3);
    grid_->setColumnStretch(3, 2);
    body()->addWidget(rows_);
    auto* line = new QHBoxLayout(entry_);
    line->setContentsMargins(0, 0, 0, 0);
    source_->setPlaceholderText(tr("Source"));
    figure_->setPlaceholderText(withMark(tr("1.5x, 12 us, 900 GB/s")));
    source_->setObjectName(QStringLiteral("claimSource"));
    figure_->setObjectName(QStringLiteral("claimFigure"));
    source_->setAccessibleName(tr("Source"));
    figure_->setAccessibleName(tr("Claimed value"));
    add_->button()->setObjectName(QStringLiteral("claimAdd"));
    line->addWidget(source_, 3);
    line->addWidget(figure_, 2);
    line->addWidget(add_);
    body()->addWidget(entry_);
    connect(add_, &ReasonedButton::clicked, this, &ClaimsCard::submit);
    connect(figure_, &QLineEdit::returnPressed, this, &ClaimsCard::submit);
}

void ClaimsCard::submit()
{
    const QString source = source_->text().trimmed();
    const QString figure = figure_->text().trimmed();
    if (source.isEmpty() || figure.isEmpty() || !add_->button()->isEnabled())
        return;
    source_->clear();
    figure_->clear();
    emit claimed(source, figure);
}

void ClaimsCard::setView(const SessionView& view)
{
    clearLayout(grid_);
    int at = 0;
    for (const ClaimView& row : view.claims) {
        grid_->addWidget(cell(row.claim.source, TextRole::body, rows_), at, 0, Qt::AlignTop);
        grid_->addWidget(cell(row.claim.figure, TextRole::body, rows_), at, 1, Qt::AlignTop);
        grid_->addWidget(cell(row.measured.empty() ? kNoValue : row.measured, TextRole::body, rows_), at, 2, Qt::AlignTop);
        auto* mark = new MarkLabel(chooseMark(row), q(row.verdict), rows_);
        mark->setWordWrap(true);
        grid_->addWidget(mark, at++, 3, Qt::AlignTop);
    }
    rows_->setVisible(at > 0);
    entry_->setVisible(!isOver(view));
}

void ClaimsCard::setBusy(const QString& reason)
{
    add_->setReason(reason);
}

} // namespace kl::ui
