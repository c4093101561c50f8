// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

#ifndef Q_MOC_RUN
#include "core/model/run.h"
#endif

namespace kl {

/// What Nsight Compute's own rules said of an imported run, beside our finding; hidden for any other run.
class NcuCard : public Card {
    Q_OBJECT
public:
    explicit NcuCard(QWidget* parent = nullptr);
    void setRun(const RunRecord& run);

private:
    void addRule(const RuleResult& rule, bool top);

    QVBoxLayout* rows_;
};

} // namespace kl
