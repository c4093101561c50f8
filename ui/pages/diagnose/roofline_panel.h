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
struct PinnedRun;

/// The roofline of a run and its family; for a run that has no place under the roofs, the utilization of each unit instead.
class RooflinePanel : public QWidget {
    Q_OBJECT
public:
    explicit RooflinePanel(QWidget* parent = nullptr);
    ~RooflinePanel() override;
    /// The first run is the one that is diagnosed, the baselines are among the others; the runs must stay valid until the next call. Hides
    /// the panel when neither chart has anything to show; missing() then says why.
    void setRuns(std::vector<const RunRecord*> runs, std::vector<PinnedRun> baselines);
    const QString& missing() const { return missing_; }
    /// Of the chart that is shown; empty where none is.
    QString title() const;

private:
    void showRoofline();
    void showUnits();

    std::vector<const RunRecord*> runs_;
    std::vector<PinnedRun> baselines_;
    QString missing_;
    XYChart* roofline_ = nullptr;
    ChartCard* rooflineCard_ = nullptr;
    QComboBox* level_ = nullptr;
    EvidenceBars* units_ = nullptr;
    ChartCard* unitsCard_ = nullptr;
};

} // namespace kl::ui
