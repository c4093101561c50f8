// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "ui/widgets/card.h"

class QGridLayout;

namespace kl::ui {

/// The mistakes that are counted: how often each was made in this database, how often a rule caught it, and whether it was repeated, and
/// which gate or rule prevents it.
class MistakesCard : public Card {
    Q_OBJECT
public:
    explicit MistakesCard(QWidget* parent = nullptr);
    void show(const History& history);

private:
    QGridLayout* rows_;
};

} // namespace kl::ui
