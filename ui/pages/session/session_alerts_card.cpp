// SPDX-License-Identifier: MIT
#include "ui/pages/session/session_alerts_card.h"

#include "ui/context/step_doors.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {

SessionAlertsCard::SessionAlertsCard(QWidget* parent) : Card(tr("Alerts"), parent), rows_(new QVBoxLayout)
{
    rows_->setSpacing(kGapInside);
    body()->addLayout(rows_);
    hide();
}

void SessionAlertsCard::setAlerts(const std::vector<Alert>& alerts)
{
    clearLayout(rows_);
    setVisible(!alerts.empty());
    for (const Alert& alert : alerts) {
        auto* row = new QHBoxLayout;
        QLabel* text = makeLabel(q(alert.text), TextRole::body, this);
        text->setWordWrap(true);
        text->setObjectName(QStringLiteral("alert-%1").arg(q(alert.code)));
        setTextToken(text, Token::worse);
        row->addWidget(text, 1);
        // A step of this session is taken here; showing it is what the page does anyway.
        if (alert.next && alert.next->id != StepId::showSession && findDoor(*alert.next)) {
            QPushButton* button = makeButton(stepText(*alert.next), false, this);
            button->setObjectName(QStringLiteral("alertStep-%1").arg(q(alert.code)));
            connect(button, &QPushButton::clicked, this, [this, step = *alert.next] { emit stepRequested(step); });
            row->addWidget(button, 0, Qt::AlignTop);
        }
        rows_->addLayout(row);
    }
}

void SessionAlertsCard::setBusy(const QString& reason)
{
    for (QPushButton* button : findChildren<QPushButton*>())
        button->setEnabled(reason.isEmpty());
}

} // namespace kl::ui
