// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"
#include "ui/jobs/job.h"

#include <QWidget>

#include <memory>

class QLabel;
class QListWidget;
class QPushButton;
class QTimer;

namespace kl::ui {

class AppContext;
class ValueTable;

/// The thresholds of the diagnosis tree. A change shows which stored findings would be others before it is saved as the team's tree.
class TreeThresholdsForm : public QWidget {
    Q_OBJECT
public:
    TreeThresholdsForm(AppContext& context, QWidget* parent);

private:
    void fill();
    void preview();
    void save();

    AppContext& context_;
    std::shared_ptr<const DiagnosisTree> tree_; ///< the team's, as it is saved
    ValueTable* table_;
    QLabel* effect_;
    QListWidget* changes_;
    QPushButton* save_;
    QTimer* settle_;
    BackgroundJob looking_;
};

} // namespace kl::ui
