// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/environment/checked_machine.h"
#include "ui/widgets/card.h"

class QLabel;
class QPlainTextEdit;

namespace kl::ui {

/// What repairs each failed check: a command that runs once the user has agreed to it, or words for what only a person can do.
class RepairsCard : public Card {
    Q_OBJECT
public:
    explicit RepairsCard(AppContext& context, QWidget* parent = nullptr);
    void show(const CheckedMachine& checked);

signals:
    void repaired(); ///< a command ran to its end: check again

private:
    void ask(const Repair& repair);
    void run();

    AppContext& context_;
    BackgroundJob job_;
    QVBoxLayout* rows_;
    QWidget* question_;
    QLabel* command_;
    QPlainTextEdit* output_;
    std::optional<Repair> requested_;
};

} // namespace kl::ui
