// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "core/sass/code_diff.h"
#endif

#include <QAbstractTableModel>

namespace kl::ui {

/// Two builds of a kernel, instruction beside instruction, with the time that moved.
class CodeDiffModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Mark, TextA, TextB, Moved, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    /// Compares the two; without one of them the table is empty.
    void setCode(const SharedCode& a, std::optional<double> nsA, const SharedCode& b, std::optional<double> nsB);
    const CodeDiff& diff() const { return diff_; }
    /// Registers, spills, instructions and the opcodes that differ most, in words; empty without code.
    QString summary(int registersA, int registersB) const;

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(diff_.rows.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : ColumnCount; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const CodeDiffRow& row, int column) const;

    SharedCode a_;
    SharedCode b_;
    CodeDiff diff_;
};

} // namespace kl::ui
