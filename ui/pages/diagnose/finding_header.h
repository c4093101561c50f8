// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

class QLabel;

namespace kl {
struct RunRecord;
}

namespace kl::inline learning {
struct RuleOutcome;
}

namespace kl::ui {

/// The top of a diagnosis: class, confidence and kernel, the finding in one sentence, and what fixing it is estimated to gain.
class FindingHeader : public Card {
    Q_OBJECT
public:
    explicit FindingHeader(QWidget* parent = nullptr);
    /// The run must have a diagnosis. `rule`: how estimates of this class turned out here; null when none was tested.
    void setRun(const RunRecord& run, const RuleOutcome* rule);

private:
    QLabel* chips_ = nullptr;
    QLabel* sentence_ = nullptr;
    QLabel* estimate_ = nullptr;
};

} // namespace kl::ui
