// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include <vector>

class QComboBox;

namespace kl {
struct RunRecord;
}

namespace kl::ui {

class ChartCard;
class EvidenceBars;
class XYChart;

/// The roofline of a run and its family; for a run that has no place under the roofs, the utilization of each unit instead.
class RooflinePanel : public QWidget {
    Q_OBJECT
public:
    explicit RooflinePanel(QWidget* parent = nullptr);
    /// The first run is the one that is diagnosed; the runs must stay valid until the next call. Hides the panel when neither chart has
    /// anything to show; missing() then says why.
    void setRuns(std::vector<const RunRecord*> runs);
    const QString& missing() const { return missing_; }

private:
    void showRoofline();
    void showUnits();

    std::vector<const RunRecord*> runs_;
    QString missing_;
    XYChart* roofline_ = nullptr;
    ChartCard* rooflineCard_ = nullptr;
    QComboBox* level_ = nullptr;
    EvidenceBars* units_ = nullptr;
    ChartCard* unitsCard_ = nullptr;
};

} // namespace kl::ui
