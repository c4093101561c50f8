// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

#ifndef Q_MOC_RUN
#include "core/model/run.h"
#endif

#include <vector>

class QLabel;
class QPushButton;

namespace kl::ui {

/// The rules of Nsight Compute for an imported run, next to our finding: the top rule in full, for the
/// others the title and line findings, and the full text on request. Hidden for any other run.
class NcuCard : public Card {
    Q_OBJECT
public:
    explicit NcuCard(QWidget* parent = nullptr);
    void setRun(const RunRecord& run);

private:
    void addRule(const RuleResult& rule, bool top);
    void showTexts();

    QVBoxLayout* rows_;
    QPushButton* more_; ///< shows and hides `texts_`
    std::vector<QLabel*> texts_;
    bool open_ = false;
};

} // namespace kl::ui
