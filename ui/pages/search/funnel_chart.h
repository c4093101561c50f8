// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"

#include <cstddef>
#include <optional>

namespace kl::ui {

/// One stage of a funnel: how many points pass, here and on another GPU.
struct FunnelStage {
    QString name;                     ///< "Occupancy"
    std::size_t rejected = 0;         ///< points for which this stage is the first to fail
    std::size_t left = 0;             ///< after it
    std::optional<std::size_t> other; ///< left after it on the other GPU
    QString help;                     ///< an example, or why it checks nothing
    bool judged = true;
};

/// A search space passing the gates: one bar per stage for the points left, with the number rejected next to it. A click picks a
/// stage.
class FunnelChart : public PaintedChart {
    Q_OBJECT
public:
    using PaintedChart::PaintedChart;

    /// The first stage is the whole space. `otherName`: the other GPU; empty if there is none.
    void setStages(std::vector<FunnelStage> stages, const QString& otherName);
    const std::vector<FunnelStage>& stages() const { return stages_; }

    ChartTable table() const override;
    std::vector<LegendItem> legend() const override;
    QString emptyReason() const override;
    QSize sizeHint() const override { return {560, 210}; }
    QSize minimumSizeHint() const override { return {360, 170}; }

protected:
    void paint(QPainter& painter, const QSizeF& size) override;

private:
    std::vector<FunnelStage> stages_;
    QString otherName_;
};

} // namespace kl::ui
