// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QDoubleSpinBox;
class QSpinBox;

namespace kl::ui {

class ChartCard;
class KeyFigure;
class XYChart;

/// The possible gain of optimizing a kernel and of fusing kernels, for a given launch overhead.
class LaunchCalculator : public QWidget {
    Q_OBJECT
public:
    explicit LaunchCalculator(QWidget* parent = nullptr);

private:
    QWidget* makeInputs();
    QWidget* makeAnswers();
    void calculate();
    void showCurves(double kernelUs, double launchUs, int kernels);

    QDoubleSpinBox* kernel_;
    QDoubleSpinBox* launch_;
    QSpinBox* kernels_;
    KeyFigure* work_;
    KeyFigure* fusion_;
    KeyFigure* removed_;
    KeyFigure* queued_;
    XYChart* chart_;
    ChartCard* card_;
};

} // namespace kl::ui
