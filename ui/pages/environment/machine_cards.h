// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/environment/checked_machine.h"
#include "ui/widgets/card.h"

class QGridLayout;

namespace kl::ui {

/// The GPUs of the checked machine with what limits a kernel, and the hosts that the user measures on, with state, price and last use.
class DevicesCard : public Card {
    Q_OBJECT
public:
    explicit DevicesCard(AppContext& context, QWidget* parent = nullptr);
    void show(const CheckedMachine& checked);

private:
    AppContext& context_;
    QGridLayout* rows_;
};

/// The limits of shared memory that the October 2025 documents have, beside those that hold.
Card* makeLimitsCard(QWidget* parent);

} // namespace kl::ui
