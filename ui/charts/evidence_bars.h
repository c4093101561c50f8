// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"
#include "ui/charts/delta.h"

#include <optional>

namespace kl::ui {

/// One piece of evidence: a value against its threshold.
struct EvidenceRow {
    QString name;
    std::optional<double> value;
    std::optional<double> threshold;
    QString sense;     ///< "≥", "<" …
    QString valueText; ///< with unit; for a missing value the reason
    QString thresholdText;
    bool percent = false; ///< scale 0 to 100
    bool holds = false;   ///< the comparison supports the finding
    QString help;         ///< tooltip
    Deltas deltas;        ///< of `value`, with ticks at the baselines' values
    bool met = false;     ///< the comparison is true; without `holds` it belongs to another question than the finding's
};

/// Bars of value, with a tick at the threshold: in the accent where the comparison supports the finding, hatched where it is true for
/// another question, neutral elsewhere. picked(row) on a click.
class EvidenceBars : public PaintedChart {
    Q_OBJECT
public:
    using PaintedChart::PaintedChart;
    /// `emptyReason`: shown when there are no rows.
    void setRows(std::vector<EvidenceRow> rows, const QString& emptyReason = {});
    const std::vector<EvidenceRow>& rows() const { return rows_; }
    ChartTable table() const override;
    std::vector<LegendItem> legend() const override;
    QString emptyReason() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paint(QPainter& painter, const QSizeF& size) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    static QString formatEvidenceValue(const EvidenceRow& row); ///< with its changes and threshold
    static QString formatThreshold(const EvidenceRow& row);     ///< "  (≥ 70 % ✓)", with the mark where it is met; empty without one
    static bool fitsBesideValue(const EvidenceRow& row, double width);
    double heightFor(double width) const;

    std::vector<EvidenceRow> rows_;
    QString emptyReason_;
};

} // namespace kl::ui
