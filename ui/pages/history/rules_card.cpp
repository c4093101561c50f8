// SPDX-License-Identifier: MIT
#include "ui/pages/history/rules_card.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <algorithm>

namespace kl::ui {

RulesCard::RulesCard(QWidget* parent) : Card(tr("Estimated and measured savings"), parent), rows_(new QGridLayout)
{
    rows_->setColumnStretch(0, 1);
    rows_->setHorizontalSpacing(kGapBetween);
    rows_->setVerticalSpacing(kGapTight);
    body()->addLayout(rows_);
    body()->addStretch(1);
}

void RulesCard::show(const std::vector<RuleCase>& cases)
{
    clearLayout(rows_);
    const bool live = std::ranges::any_of(cases, [](const RuleCase& one) { return !one.replayed; });
    const std::vector<RuleOutcome> outcomes = ruleOutcomes(cases, true);
    int hits = 0, all = 0;
    for (const RuleOutcome& one : outcomes) {
        hits += one.hits;
        all += one.cases;
    }
    setTitle(all == 0 ? tr("No fixes measured yet") : tr("%1 of %2 estimates were within a factor of two").arg(hits).arg(all));
    setCaption(all == 0 ? tr("A session measures them: the profile gives the estimate, the A/B measurement the saving.")
               : live   ? tr("Measured saving between half and twice the estimate. Values are medians.")
                        : tr("Recorded data only. Measured saving between half and twice the estimate. Values are medians."));
    const auto cell = [&](const QString& words, TextRole role, int row, int column) {
        rows_->addWidget(makeLabel(words, role, this), row, column, (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop);
    };
    if (all == 0)
        return;
    int column = 0;
    for (const QString& heading : {tr("Finding"), tr("Within 2×"), tr("Estimated"), tr("Measured"), tr("Correction")})
        cell(heading, TextRole::caption, 0, column++);
    int row = 0;
    for (const RuleOutcome& one : outcomes) {
        ++row;
        cell(q(one.rule), TextRole::body, row, 0);
        cell(tr("%1 of %2").arg(one.hits).arg(one.cases), TextRole::body, row, 1);
        cell(q(formatPercent(100 * one.estimated)), TextRole::body, row, 2);
        cell(q(formatPercent(100 * one.realized)), TextRole::body, row, 3);
        cell(figureWithMark(q(formatNumber(one.factor))), TextRole::body, row, 4);
    }
}

} // namespace kl::ui
