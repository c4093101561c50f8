// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"
#include "ui/widgets/dialog.h"

#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSocketNotifier;
class QSpinBox;

namespace kl::ui {

class ReasonedButton;

/// Profiles a program: its command, folder, environment, which kernels, in which NVTX range, and how many launches are counted, and whether
/// counters are read at all. Shows what the program writes while it runs, and cancels it; when it ends, its kernels are on the Diagnose
/// page. For a terminal, it has the same as a command.
class ProgramDialog : public Dialog {
    Q_OBJECT
public:
    /// `program`: the path that the form begins with.
    explicit ProgramDialog(AppContext& context, QWidget* parent = nullptr, const QString& program = {});
    ~ProgramDialog() override;

    void reject() override; ///< stops the program first

private:
    struct Profiled;
    QWidget* makeForm();
    void showCommand();
    void start();
    void takeOutput();
    void finish(Result<Profiled> profiled);
    void showStatus(const QString& text, bool failed);
    void closePipe();

    AppContext& context_;
    BackgroundJob running_;
    int output_ = -1; ///< what the program writes, to read here
    QSocketNotifier* notifier_ = nullptr;
    QLineEdit* program_;
    QLineEdit* folder_;
    QPlainTextEdit* variables_;
    QLineEdit* kernel_;
    QLineEdit* range_;
    QSpinBox* count_;
    QCheckBox* counters_;
    QLineEdit* command_;
    QPlainTextEdit* log_;
    QLabel* status_;
    ReasonedButton* run_;
    QPushButton* cancel_;
};

} // namespace kl::ui
