// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"
#include "ui/charts/geometry/bars.h"

namespace kl::ui {

/// Savings by pattern as a waterfall: measured solid, quoted hatched, with two separate totals.
class WaterfallChart : public PaintedChart {
    Q_OBJECT
public:
    using PaintedChart::PaintedChart;
    void setSteps(std::vector<SavingStep> steps, const QString& emptyReason); ///< minutes
    ChartTable table() const override;
    std::vector<LegendItem> legend() const override;
    QString emptyReason() const override { return steps_.empty() ? emptyReason_ : QString(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {260, sizeHint().height()}; }

protected:
    void paint(QPainter& painter, const QSizeF& size) override;

private:
    std::vector<SavingStep> steps_;
    Waterfall shape_;
    QString emptyReason_;
};

} // namespace kl::ui
