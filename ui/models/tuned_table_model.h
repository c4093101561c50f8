// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "sessions/search/tuner.h"
#endif
#include "ui/models/record_model.h"

namespace kl::ui {

/// A measured combination as a row.
struct TunedRow {
    TunedPoint point;
    Params changed;              ///< its tunables that differ from their defaults
    std::optional<double> times; ///< its time over the best time; unset when it failed
    bool wrong = false;          ///< failed on the suite, if it was checked
};

/// Results of a search.
class TunedTableModel : public RecordModel<TunedRow> {
public:
    enum Column { Time, Slower, Point, How, ColumnCount };
    using RecordModel::RecordModel;

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int column) const override { return column == Time || column == Slower; }
    QVariant cell(const TunedRow& row, int column, int role) const override;
};

/// Best first, failed ones last; a point that was measured again is listed once, with its latest time.
std::vector<TunedRow> makeTunedRows(const std::vector<TunedPoint>& points, const KernelFamily& family, const Variant& variant);

} // namespace kl::ui
