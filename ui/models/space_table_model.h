// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "sessions/search/space_build.h"
#endif
#include "ui/models/record_model.h"

namespace kl::ui {

/// A point of a search space as a row, with the compiler's result if it was compiled.
struct SpaceRow {
    SpacePoint point;
    Params changed; ///< its tunables that differ from their defaults, as in an address
    std::optional<CompiledPoint> compiled;
};

/// Points of a search space with the gate that rejects each, its values and reason.
class SpaceTableModel : public RecordModel<SpaceRow> {
public:
    enum Column { Point, Gate, Found, Limit, Registers, Local, Why, ColumnCount };
    using RecordModel::RecordModel;

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int column) const override { return column >= Found && column <= Local; }
    QVariant cell(const SpaceRow& row, int column, int role) const override;
};

/// A gate's value with its unit: "98,304 B", "12.5 %", "8-way".
QString gateFigure(SpaceGate gate, std::optional<double> value);

} // namespace kl::ui
