// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "ui/widgets/card.h"

class QGridLayout;

namespace kl::ui {

/// The dashboard's figures of this database; on the sample, beside what the October 2025 documents quote.
class DashboardCard : public Card {
    Q_OBJECT
public:
    explicit DashboardCard(QWidget* parent = nullptr);
    void show(const History& history);

private:
    QGridLayout* rows_;
};

/// The sessions that the documents plan, and what came of them. Hidden without any.
class PlannedCard : public Card {
    Q_OBJECT
public:
    explicit PlannedCard(QWidget* parent = nullptr);
    void show(const History& history);

private:
    QGridLayout* rows_;
};

} // namespace kl::ui
