// SPDX-License-Identifier: MIT
#pragma once

#include "ui/jobs/job.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QTimer;

namespace kl::ui {

class AppContext;
class ValueTable;

/// The thresholds of a kind of session. A change shows which gates of stored sessions would be judged otherwise before it is saved: over an
/// own kind, or as a new one. Sessions that exist keep theirs.
class PlanThresholdsForm : public QWidget {
    Q_OBJECT
public:
    PlanThresholdsForm(AppContext& context, QWidget* parent);

private:
    void listKinds(const QString& chosen);
    void fill();
    void preview();
    void save();

    AppContext& context_;
    QComboBox* kind_;
    ValueTable* table_;
    QLabel* effect_;
    QListWidget* changes_;
    QLineEdit* name_;
    QPushButton* save_;
    QTimer* settle_;
    BackgroundJob looking_;
};

} // namespace kl::ui
