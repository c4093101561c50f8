// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "ui/widgets/card.h"

#include <vector>

class QVBoxLayout;

namespace kl::ui {

class RunPicker;

/// The runs to compare, A and B first, each with a Remove button, and a picker to add one.
class BasketCard : public Card {
    Q_OBJECT
public:
    /// Takes the picker; null: runs cannot be added here.
    explicit BasketCard(RunPicker* picker, QWidget* parent = nullptr);

    /// `why`: why the window chose these runs; empty if the user did.
    void setRuns(const std::vector<RunRecord>& basket, const QString& why);

signals:
    void added(const QString& id);
    void removed(const QString& id);
    void swapped(); ///< swap A and B
    void emptied();

private:
    void addRow(const QString& letter, const RunRecord& run);

    QVBoxLayout* rows_;
    QWidget* whole_; ///< actions on all runs; needs two runs
};

} // namespace kl::ui
