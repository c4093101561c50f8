// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/memory_chart.h"
#include "ui/charts/chart_body.h"
#include "ui/charts/delta.h"

namespace kl::ui {

/// The chart of a baseline, and its color.
struct MemoryBaseline {
    MemoryChart chart;
    Token token = Token::muted;
};

/// The memory chart: kernel, L1 and shared memory, L2 and DRAM as boxes with hit rate and utilization, traffic between them as arrows
/// with requests and bytes, thicker when closer to their peak. Tooltips give the formula of each value, or why it is missing.
class MemoryChartView : public PaintedChart {
    Q_OBJECT
public:
    using PaintedChart::PaintedChart;

    /// Every figure has its change against each of the baselines beside it.
    void setChart(MemoryChart chart, std::vector<MemoryBaseline> baselines = {});
    ChartTable table() const override;
    std::vector<LegendItem> legend() const override;
    QString emptyReason() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paint(QPainter& painter, const QSizeF& size) override;

private:
    void paintUnit(QPainter& painter, const QRectF& box, const MemoryUnit& unit);
    void paintFlows(QPainter& painter, const QRectF& from, const QRectF& to, const std::vector<const MemoryFlow*>& flows);
    std::vector<const MemoryFlow*> between(const std::string& a, const std::string& b) const;
    Deltas computeDeltas(const MemoryUnit& unit, const MemoryFigure& figure) const;
    Deltas computeDeltas(const MemoryFlow& flow, const MemoryFigure& figure) const;

    MemoryChart chart_;
    std::vector<MemoryBaseline> baselines_;
};

/// "Memory: DRAM is the busiest level: 72 % of its peak": the chart's title; empty if no level's utilization was measured.
QString memoryTitle(const MemoryChart& chart);
/// "Not measured: L2 cache requests (section MemoryWorkload collects it)"; empty when nothing is missing.
QString explainMissingMemory(const MemoryChart& chart);

} // namespace kl::ui
