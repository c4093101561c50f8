// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/tuned_table_model.h"
#include "ui/widgets/state_panel.h"

#ifndef Q_MOC_RUN
#include "sessions/search/best_point.h"
#endif

class QLabel;

namespace kl::ui {

class DataTable;

/// Results of a search: times as they arrive, then the best point and its speedup over the default.
class MeasuredView : public StateStack {
    Q_OBJECT
public:
    explicit MeasuredView(QWidget* parent = nullptr);

    /// Shows that nothing was measured, with the reason or what to do.
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

} // namespace kl::ui
