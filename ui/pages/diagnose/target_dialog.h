// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "sessions/subject/target_draft.h"
#include "ui/widgets/dialog.h"
#endif

#include <functional>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace kl::ui {

class AppContext;

/// Makes a profiled kernel of a program the subject of sessions: how the program is built, run and checked, what it has to beat and which
/// files may be edited. Writes the kernelloop.json, registers it, and goes to the form of a new session with it.
class TargetDialog : public Dialog {
    Q_OBJECT
public:
    TargetDialog(AppContext& context, const RunRecord& run, QWidget* parent = nullptr);

private:
    void addField(QFormLayout* form, const QString& label, QWidget* field, const char* name);
    void addFolder(QFormLayout* form);
    void addEdited(QFormLayout* form);
    void addChoices(QFormLayout* form);
    void describeRival();
    void addFiles();
    TargetDraft draft() const;
    void write();
    void fail(const QString& text);
    void growToTexts();

    AppContext& context_;
    TargetDraft proposed_;
    QLineEdit* folder_;
    QLineEdit* id_;
    QLineEdit* build_;
    QLineEdit* run_;
    QLineEdit* kernel_;
    QCheckBox* shape_;
    QLineEdit* problem_;
    QLineEdit* suite_;
    QComboBox* check_;
    QLineEdit* checkCommand_;
    QComboBox* rival_;
    QLineEdit* rivalLaunches_;
    QLabel* rivalLabel_ = nullptr; ///< of that field: what it holds depends on the kind of rival
    QLineEdit* rivalRun_;
    QPlainTextEdit* edit_;
    QLabel* error_;
};

/// A button that opens the dialog for the run that `current` returns. It is for kernels of programs: the page hides it for others.
QPushButton* makeTargetButton(AppContext& context, QWidget* parent, std::function<const RunRecord*()> current);

} // namespace kl::ui
