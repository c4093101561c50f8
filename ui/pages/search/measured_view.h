// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/tuned_table_model.h"
#include "ui/widgets/state_panel.h"

#ifndef Q_MOC_RUN
#include "sessions/search/best_point.h"
#endif

class QLabel;

namespace kl {

class DataTable;

/// What a search measured: times as they come, then the best point and by how much it beats the default.
class MeasuredView : public StateStack {
    Q_OBJECT
public:
    explicit MeasuredView(QWidget* parent = nullptr);

    /// Nothing was measured: why, or what to do.
    void showNothing(const QString& what, const QString& why);
    void showTimes(std::vector<TunedRow> rows, const QString& about);
    void showBest(const BestPoint& best);

signals:
    void runOpened(const QString& id);

private:
    TunedTableModel model_;
    QLabel* about_;
    QLabel* best_;
    DataTable* table_;
};

} // namespace kl
