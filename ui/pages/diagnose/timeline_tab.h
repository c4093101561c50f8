// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <QWidget>

class QLabel;

namespace kl::ui {

class ChartCard;
class TimelineBars;

/// What the warps of a run's blocks did over time: the finding, bars of one block, shares and waits of each role, what recording cost.
class TimelineTab : public QWidget {
    Q_OBJECT
public:
    explicit TimelineTab(QWidget* parent = nullptr);
    /// Precondition: the run has a timeline.
    void setRun(const RunRecord& run);

private:
    TimelineBars* bars_;
    ChartCard* card_;
    QLabel* roles_;
    QLabel* facts_;
};

} // namespace kl::ui
