// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"
#include "ui/models/record_model.h"

namespace kl::ui {

/// What differs between two runs, one row per name: both values, the change, and whether it is an improvement.
class DifferenceModel : public RecordModel<Difference> {
public:
    enum Column { NameColumn, AColumn, BColumn, ChangeColumn, ColumnCount };

    using RecordModel<Difference>::RecordModel;

    /// `a`, `b`: headers of the value columns. Rows with equal values are left out unless `all`.
    void setDifferences(const QString& a, const QString& b, const std::vector<Difference>& differences, bool all);

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int column) const override { return column != NameColumn; }
    QVariant cell(const Difference& row, int column, int role) const override;

private:
    QString a_;
    QString b_;
};

} // namespace kl::ui
