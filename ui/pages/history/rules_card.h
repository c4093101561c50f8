// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/rule_outcomes.h"
#include "ui/widgets/card.h"

class QGridLayout;

namespace kl {

/// What the findings promised and what their fixes then gave, a row a rule.
class RulesCard : public Card {
    Q_OBJECT
public:
    explicit RulesCard(QWidget* parent = nullptr);
    void show(const std::vector<RuleCase>& cases);

private:
    QGridLayout* rows_;
};

} // namespace kl
