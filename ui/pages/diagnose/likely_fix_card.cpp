// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/likely_fix_card.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <span>

namespace kl::ui {
namespace {

constexpr std::size_t kLinks = 2;

QLabel* addWrapped(QVBoxLayout* column, TextRole role, QWidget* parent)
{
    QLabel* label = makeLabel({}, role, parent);
    label->setWordWrap(true);
    column->addWidget(label);
    return label;
}

} // namespace

LikelyFixCard::LikelyFixCard(QWidget* parent) : Card(tr("Recommended change"), parent), ready_(new QVBoxLayout)
{
    sentence_ = addWrapped(body(), TextRole::body, this);
    sentence_->setObjectName(QStringLiteral("likelyFix"));
    expected_ = addWrapped(body(), TextRole::caption, this);
    body()->addLayout(ready_);
    basis_ = addWrapped(body(), TextRole::caption, this);
}

void LikelyFixCard::setAdvice(const std::optional<Advice>& advice)
{
    clearLayout(ready_);
    setVisible(advice.has_value());
    if (!advice)
        return;
    sentence_->setText(q(advice->sentence));
    expected_->setVisible(!advice->changes.empty());
    basis_->setVisible(!advice->changes.empty());
    if (advice->changes.empty())
        return;
    const Recommendation& best = advice->changes[advice->best];
    expected_->setText(tr("Expected speedup: %1").arg(q(formatRatio(std::exp(best.chance.gain)))));
    for (const std::string& address : std::span(best.ready).first(std::min(kLinks, best.ready.size()))) {
        QPushButton* link = makeLinkButton(q(address), this);
        link->setToolTip(tr("Show the variant with this change"));
        connect(link, &QPushButton::clicked, this, [this, address = q(address)] { emit kernelRequested(address); });
        ready_->addWidget(link, 0, Qt::AlignLeft);
    }
    basis_->setText(tr("Chance of a speedup of at least %1×, based on %2 measured changes, %3 of them in this database.")
                        .arg(figureWithMark(QString::number(kFixPays, 'f', 2)))
                        .arg(advice->cases)
                        .arg(advice->own) +
                    (advice->calibrated ? QString() : tr(" Too few to learn from, so the chance comes from the decision tree.")));
}

} // namespace kl::ui
