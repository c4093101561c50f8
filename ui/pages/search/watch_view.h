// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/search/watch_bar.h"

#include <array>

class QComboBox;
class QLabel;
class QStandardItemModel;
class QTabWidget;

namespace kl::ui {

class ChartCard;
class DataTable;
class EvidenceBars;
class ParallelChart;
class XYChart;

/// The tabs that show a search as it goes: best so far and importance, parameters, rejected points; all of the search that a WatchBar
/// chooses.
class WatchView : public QObject {
    Q_OBJECT
public:
    /// Adds its tabs to `tabs`.
    WatchView(WatchBar& bar, QTabWidget& tabs);

    /// Whether the present tab is one of its own.
    bool isShown() const;
    void showProgress();

private:
    QWidget* makeProgress();
    QWidget* makeParameters();
    QWidget* makeRejected();
    void refresh();

    WatchBar& bar_;
    QTabWidget& tabs_;
    XYChart* progress_ = nullptr;
    ChartCard* progressCard_ = nullptr;
    QComboBox* by_ = nullptr;
    EvidenceBars* importance_ = nullptr;
    ChartCard* importanceCard_ = nullptr;
    ParallelChart* parallel_ = nullptr;
    ChartCard* parallelCard_ = nullptr;
    QStandardItemModel* rejected_ = nullptr;
    QLabel* rejectedWords_ = nullptr;
    std::array<QWidget*, 3> pages_{};
};

} // namespace kl::ui
