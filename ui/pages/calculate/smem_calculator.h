// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/shared_memory.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSpinBox;

namespace kl::ui {

class ChartCard;
class KeyFigure;
class LimitBars;

/// Shared memory of the tiles of a block against the limit of every GPU, updated as the user types.
class SmemCalculator : public QWidget {
    Q_OBJECT
public:
    explicit SmemCalculator(QWidget* parent = nullptr);

private:
    QWidget* makeInputs();
    TilePlan plan() const;
    void calculate();
    void showRows(const SmemNeed& need, const std::vector<GpuSmemRow>& rows);
    QString describeNotes(const SmemNeed& need, const std::vector<GpuSmemRow>& rows) const;

    QSpinBox* tiles_;
    QSpinBox* m_;
    QSpinBox* k_;
    QSpinBox* n_;
    QComboBox* element_;
    QSpinBox* pad_;
    QSpinBox* scorePad_;
    KeyFigure* total_;
    QLabel* notes_;
    LimitBars* bars_;
    ChartCard* card_;
};

} // namespace kl::ui
