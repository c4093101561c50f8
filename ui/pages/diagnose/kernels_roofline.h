// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/kernel_row.h"

#include <QWidget>

#include <vector>

class QComboBox;

namespace kl::ui {

class ChartCard;
class XYChart;

/// All kernels of a report or a program in one roofline: which of those that take the time are far from the roofs.
class KernelsRoofline : public QWidget {
    Q_OBJECT
public:
    explicit KernelsRoofline(QWidget* parent = nullptr);
    void setKernels(std::vector<KernelRow> kernels, const RunRecord& device);

signals:
    void opened(const QString& id);

private:
    void show();

    std::vector<KernelRow> kernels_;
    RunRecord device_;
    XYChart* chart_;
    ChartCard* card_;
    QComboBox* level_;
};

} // namespace kl::ui
