// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "sessions/measure/sweep.h"
#endif
#include "ui/models/record_model.h"

namespace kl::ui {

/// The sizes of a sweep, with their findings; a size without a run says why.
class SweepTableModel : public RecordModel<SweepRow> {
public:
    enum Column { Kernel, Problem, Time, Bandwidth, Rate, Speedup, Baseline, Finding, ColumnCount };
    using RecordModel::RecordModel;

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int column) const override { return column >= Time && column <= Speedup; }
    QVariant cell(const SweepRow& row, int column, int role) const override;
};

} // namespace kl::ui
