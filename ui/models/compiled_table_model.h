// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "core/search/compiled_launch.h"
#endif
#include "ui/models/record_model.h"

namespace kl::ui {

/// The compiler's results for the kernel of each launch, as a table.
class CompiledTableModel : public RecordModel<CompiledLaunch> {
public:
    enum Column { Entry, Threads, Registers, Local, Spilled, StaticSmem, DynamicSmem, Occupied, Limiter, ColumnCount };
    using RecordModel::RecordModel;

    void setLaunches(std::vector<CompiledLaunch> launches, const SmLimits& sm);

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int column) const override { return column > Entry && column < Limiter; }
    QVariant cell(const CompiledLaunch& row, int column, int role) const override;

private:
    SmLimits sm_;
};

} // namespace kl::ui
