// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

class QLabel;

namespace kl::ui {

/// A chart that is left out of a diagnosis, and why.
struct ChartGap {
    QString chart; ///< "Stall reasons"
    QString why;   ///< a sentence
};

/// In place of charts that would be empty: one line for each, with the reason. Hidden when there is none.
class GapsCard : public Card {
    Q_OBJECT
public:
    explicit GapsCard(QWidget* parent = nullptr);
    /// Gaps with an empty reason are shown charts; they are skipped.
    void setGaps(const std::vector<ChartGap>& gaps);

private:
    QLabel* text_ = nullptr;
};

} // namespace kl::ui
