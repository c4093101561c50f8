// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "sessions/store/rows.h"
#include "ui/widgets/card.h"

#include <vector>

class QComboBox;
class QVBoxLayout;

namespace kl {

/// The runs that are compared, A and B first, each with a way to take it out, and a list to add more from.
class BasketCard : public Card {
    Q_OBJECT
public:
    explicit BasketCard(QWidget* parent = nullptr);

    /// `why`: what made the window choose these runs; empty when the user did.
    void setRuns(const std::vector<RunRecord>& basket, const std::vector<RunSummary>& all, const QString& why);

signals:
    void added(const QString& id);
    void removed(const QString& id);
    void swapped(); ///< A and B are to change places
    void emptied();

private:
    void addRow(const QString& letter, const RunRecord& run);

    QVBoxLayout* rows_;
    QWidget* whole_; ///< what can be done with all of them; needs two
    QComboBox* picker_;
};

} // namespace kl
