// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"

#include <cstddef>
#include <optional>

namespace kl {

/// One stage of a funnel: what it lets through, here and on another GPU.
struct FunnelStage {
    QString name;                     ///< "Occupancy"
    std::size_t rejected = 0;         ///< by this stage as the first
    std::size_t left = 0;             ///< after it
    std::optional<std::size_t> other; ///< left after it elsewhere
    QString help;                     ///< first reason; why it judges nothing
    bool judged = true;
};

/// A search space on its way through the gates: a bar a stage, as long as what is left, with what was rejected beside it. A click picks a
/// stage.
class FunnelChart : public PaintedChart {
    Q_OBJECT
public:
    using PaintedChart::PaintedChart;

    /// The first stage is the whole space. `otherName`: whose the second figures are; empty: there are none.
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

} // namespace kl
