// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/alerts.h"
#include "ui/widgets/card.h"

#include <vector>

class QVBoxLayout;

namespace kl::ui {

/// What is amiss in the session: over its budget, or attempts that fail for too long; each with a button for what to do. Hidden without
/// one.
class SessionAlertsCard : public Card {
    Q_OBJECT
public:
    explicit SessionAlertsCard(QWidget* parent = nullptr);

    void setAlerts(const std::vector<Alert>& alerts);
    void setBusy(const QString& reason);

signals:
    void stepRequested(const kl::NextStep& step);

private:
    QVBoxLayout* rows_;
};

} // namespace kl::ui
