// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/gaps_card.h"

#include "ui/style/theme.h"

#include <QLabel>
#include <QVBoxLayout>

namespace kl::ui {

GapsCard::GapsCard(QWidget* parent) : Card(tr("Not available for this run"), parent), text_(makeLabel({}, TextRole::body, this))
{
    text_->setObjectName(QStringLiteral("chartGaps"));
    text_->setWordWrap(true);
    body()->addWidget(text_);
}

void GapsCard::setGaps(const std::vector<ChartGap>& gaps)
{
    QStringList lines;
    for (const ChartGap& gap : gaps)
        if (!gap.why.isEmpty())
            lines << QStringLiteral("%1: %2").arg(gap.chart, gap.why);
    text_->setText(lines.join(u'\n'));
    setVisible(!lines.isEmpty());
}

} // namespace kl::ui
