// SPDX-License-Identifier: MIT
#include "ui/pages/page.h"

#include "ui/style/tokens.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace kl::ui {

QScrollArea* makeScrollingBody(QWidget* page, QLayout* content)
{
    auto* outer = new QVBoxLayout(page);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* area = new QScrollArea(page);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    auto* bodyWidget = new QWidget(area->viewport()); // moved there later, everything in it would be styled once more
    bodyWidget->setObjectName(QStringLiteral("pageBody"));
    content->setContentsMargins(kGapPage, 0, kGapPage, kGapPage);
    bodyWidget->setLayout(content);
    area->setWidget(bodyWidget);
    outer->addWidget(area);
    return area;
}

} // namespace kl::ui
