// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "ui/charts/chart_body.h"

#include <optional>

namespace kl::ui {

/// Two times joined by a line, each with its interval: before on the left, after on the right. The axis starts at zero, so that
/// the slope is to scale.
class SlopeChart : public PaintedChart {
    Q_OBJECT
public:
    explicit SlopeChart(QWidget* parent = nullptr);

    /// Nanoseconds; an unset side is labeled "not measured".
    void setTimes(const QString& before, const std::optional<Summary>& beforeNs, const QString& after,
                  const std::optional<Summary>& afterNs);

    ChartTable table() const override;
    QString emptyReason() const override;
    QSize sizeHint() const override { return {420, 180}; }
    QSize minimumSizeHint() const override { return {260, 140}; }

protected:
    void paint(QPainter& painter, const QSizeF& size) override;

private:
    struct Side {
        QString name;
        std::optional<Summary> ns;
    };
    void paintSide(QPainter& painter, const Side& side, double x, double top, double bottom, double maximum, bool left) const;

    Side before_;
    Side after_;
};

} // namespace kl::ui
