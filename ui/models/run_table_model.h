// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/rows.h"
#include "ui/models/record_model.h"

namespace kl::ui {

/// Stored runs as a table.
class RunTableModel : public RecordModel<RunSummary> {
public:
    enum Column { Kernel, Problem, GpuTime, Speedup, Finding, Correct, Device, Started, ColumnCount };
    using RecordModel::RecordModel;

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int column) const override { return column == GpuTime || column == Speedup; }
    QVariant cell(const RunSummary& row, int column, int role) const override;
};

} // namespace kl::ui
