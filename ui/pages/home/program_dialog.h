// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/report/report.h"

#include <QDialog>

class QLineEdit;

namespace kl::ui {

/// Takes a program's command line and gives the command that profiles it in a terminal, where it can read and print: its kernels are
/// stored in the database that the window has open.
class ProgramDialog : public QDialog {
    Q_OBJECT
public:
    /// `database`: its file; empty: the default one.
    ProgramDialog(StepWriter writer, QString database, QWidget* parent = nullptr);

private:
    void showCommand();

    StepWriter writer_;
    QString database_;
    QLineEdit* program_;
    QLineEdit* command_;
};

} // namespace kl::ui
