// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/space_table_model.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;

namespace kl::ui {

class DataTable;

/// The points of a space, all or those that a gate rejects.
class PointsView : public QWidget {
    Q_OBJECT
public:
    explicit PointsView(QWidget* parent = nullptr);

    /// All points of a space, in its order.
    void setRows(std::vector<SpaceRow> rows);
    /// The compiler's results for these points, and its columns.
    void setCompiled(const std::vector<CompiledPoint>& points);
    /// A stage of the funnel: 0 for all, then the gates in order.
    void pick(int stage);
    void clearChoice();

signals:
    void chosen(const kl::ui::SpaceRow& row);

private:
    void showCompiledColumns(bool shown);
    void fill();

    std::vector<SpaceRow> rows_;
    SpaceTableModel model_;
    QComboBox* shown_;
    QLabel* count_;
    DataTable* table_;
};

} // namespace kl::ui
