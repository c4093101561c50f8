// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/rule_outcomes.h"
#include "ui/widgets/card.h"

class QGridLayout;

namespace kl::ui {

/// Estimated and measured gains of the findings' fixes, one row per rule.
class RulesCard : public Card {
    Q_OBJECT
public:
    explicit RulesCard(QWidget* parent = nullptr);
    void show(const std::vector<RuleCase>& cases);

private:
    QGridLayout* rows_;
};

} // namespace kl::ui
