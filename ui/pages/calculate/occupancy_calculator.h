// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/occupancy_sweep.h"

#include <QWidget>

#include <array>

class QComboBox;
class QLabel;
class QSpinBox;

namespace kl::ui {

class ChartCard;
class KeyFigure;
class LimitBars;
class XYChart;

/// Occupancy of a launch on one GPU with a curve for each limiting resource, and on every other GPU.
class OccupancyCalculator : public QWidget {
    Q_OBJECT
public:
    explicit OccupancyCalculator(QWidget* parent = nullptr);

private:
    struct Curve {
        OccupancyInput input;
        XYChart* chart;
        ChartCard* card;
    };
    QWidget* makeInputs();
    QWidget* makeCharts();
    BlockNeeds needs() const;
    void calculate();
    void showCurve(const Curve& curve, const SmLimits& limits, const Occupancy& now);
    void showLevers(const SmLimits& limits, const Occupancy& now);
    void showGpus();

    QSpinBox* threads_;
    QSpinBox* registers_;
    QSpinBox* smem_;
    QComboBox* gpu_;
    KeyFigure* figure_;
    QLabel* blocks_;
    QLabel* levers_;
    std::array<Curve, 3> curves_;
    LimitBars* bars_;
    ChartCard* barsCard_;
};

} // namespace kl::ui
