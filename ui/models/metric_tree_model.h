// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/metric_rows.h"

#include <QAbstractItemModel>

#include <vector>

namespace kl::ui {

/// The metrics of a run in their sections. kFilterRole (word_filter.h) has the words that a metric is found by.
class MetricTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Metric, Value, Unit, Peak, Baseline, Change, Meaning, ColumnCount };
    using QAbstractItemModel::QAbstractItemModel;

    void setGroups(std::vector<MetricGroup> groups);
    const std::vector<MetricGroup>& groups() const { return groups_; }
    /// Null for a section.
    const MetricRow* at(const QModelIndex& index) const;
    /// The first row of that metric; invalid if it was not collected.
    QModelIndex find(const std::string& metric) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<MetricGroup> groups_;
};

} // namespace kl::ui
