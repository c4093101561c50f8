// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"
#include "ui/charts/chart_body.h"

#include <optional>

namespace kl::ui {

/// "47.5 µs (95 % CI 47.1 µs to 48 µs, n 200)"; a single sample has no interval.
QString timeFigures(const Summary& ns);

/// The GPU time of each run as a bar from 0, with its interval and the baseline's time as a tick.
class TimeBars : public PaintedChart {
    Q_OBJECT
public:
    using PaintedChart::PaintedChart;

    /// `interleaved`: the verdict beside the bars is of an A/B, so that these times, of separate runs, give no ratio of their own.
    void setRuns(const std::vector<const RunRecord*>& runs, bool interleaved = false);
    /// Chart title: "transpose/tiled takes 38.2 µs, 3.23× faster than transpose/naive"; of interleaved ones the two times alone.
    QString finding() const;

    ChartTable table() const override;
    QString emptyReason() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {240, sizeHint().height()}; }

protected:
    void paint(QPainter& painter, const QSizeF& size) override;

private:
    struct Bar {
        QString name;
        Token token = Token::series1;
        std::optional<Summary> ns; ///< GPU time, cold
        std::optional<double> baselineNs;
        QString baselineName;
    };
    std::vector<Bar> bars_;
    bool sameWork_ = false; ///< the first two: else neither is faster than the other
    bool interleaved_ = false;
};

} // namespace kl::ui
