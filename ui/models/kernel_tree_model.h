// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/kernel_row.h"
#include "ui/models/word_filter.h"

#include <QAbstractItemModel>

#include <vector>

namespace kl::ui {

/// How the kernel table gathers its rows.
enum class KernelGrouping { none, name, range };

/// Kernels, alone or in groups of one level: a group is the sum of its kernels. Sorts by kSortRole.
class KernelTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Range, Shape, Calls, Time, Total, Share, Finding, Roof, Speedup, Saved, Device, Started, ColumnCount };

    explicit KernelTreeModel(QObject* parent = nullptr);

    void setRows(std::vector<KernelRow> rows);
    const std::vector<KernelRow>& rows() const { return rows_; }
    void setGrouping(KernelGrouping grouping);
    KernelGrouping grouping() const { return grouping_; }
    /// Whole demangled names instead of short ones.
    void setFullNames(bool full);

    /// The kernel of an index; of a group, the one that would save most. Null for an index that is not valid.
    const KernelRow* at(const QModelIndex& index) const;
    bool isGroup(const QModelIndex& index) const;
    /// Invalid if no row has the id.
    QModelIndex find(const RunId& id) const;
    /// Whether any row has a value there: a column without one is hidden.
    bool hasValues(int column) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// Without grouping, each kernel is a group of one that is shown as itself.
    struct Group {
        QString name;
        std::vector<std::size_t> rows;
        KernelRow sum;
    };
    void group();
    QString groupName(const KernelRow& row) const;
    QString chooseName(const KernelRow& row) const { return fullNames_ ? row.name : row.shortName; }
    QVariant cell(const KernelRow& row, int column, int role) const;
    QString format(const KernelRow& row, int column) const;
    QVariant raw(const KernelRow& row, int column) const;

    std::vector<KernelRow> rows_;
    std::vector<Group> groups_;
    KernelGrouping grouping_ = KernelGrouping::none;
    bool fullNames_ = false;
};

} // namespace kl::ui
