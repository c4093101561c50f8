// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>

#include <vector>

namespace kl::ui {

/// The role a column is sorted by: the raw value, not its text.
inline constexpr int kSortRole = Qt::UserRole;

/// A table over plain values, replaced as a whole. A subclass has one enum of columns and returns the data of one cell.
template <class Row> class RecordModel : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<Row> rows)
    {
        beginResetModel();
        rows_ = std::move(rows);
        endResetModel();
    }
    const std::vector<Row>& rows() const { return rows_; }
    /// Null for a row that does not exist.
    const Row* at(int row) const { return row >= 0 && row < rowCount() ? &rows_[static_cast<std::size_t>(row)] : nullptr; }

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : columns(); }

    QVariant data(const QModelIndex& index, int role) const override
    {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
            return {};
        const Row& row = rows_[static_cast<std::size_t>(index.row())];
        if (role == Qt::TextAlignmentRole)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (numeric(index.column()) ? Qt::AlignRight : Qt::AlignLeft)));
        return cell(row, index.column(), role);
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columns())
            return {};
        if (role == Qt::TextAlignmentRole)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (numeric(section) ? Qt::AlignRight : Qt::AlignLeft)));
        return role == Qt::DisplayRole ? QVariant(header(section)) : QVariant();
    }

protected:
    virtual int columns() const = 0;
    virtual QString header(int column) const = 0;
    virtual bool numeric(int column) const = 0;
    /// Display, tooltip, foreground and sort role of one cell.
    virtual QVariant cell(const Row& row, int column, int role) const = 0;

private:
    std::vector<Row> rows_;
};

} // namespace kl::ui
