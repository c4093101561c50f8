// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"
#include "ui/widgets/dialog.h"

#include <QFormLayout>

class QLabel;
class QTableWidget;

namespace kl::ui {

class ReasonedButton;

/// A form that starts work of the engine and shows its answer as a table with a sentence above it. It can be closed meanwhile: the task
/// tray shows the work, and closing cancels it.
class ToolDialog : public Dialog {
    Q_OBJECT
public:
    ToolDialog(AppContext& context, const QString& title, const QString& about, const QString& action, QWidget* parent);

protected:
    /// Starts the work; called by the button.
    virtual void start() = 0;

    AppContext& context() const { return context_; }
    BackgroundJob& job() { return job_; }
    QFormLayout* form() const { return form_; }
    /// Why the work cannot start; empty when it can.
    void setReason(const QString& reason);
    void showBusy(const QString& sentence);
    /// Names of the columns, and rows of cells.
    void showAnswer(const QString& sentence, const QStringList& columns, const std::vector<QStringList>& rows);
    void showFailure(const Error& error);

private:
    AppContext& context_;
    BackgroundJob job_;
    QFormLayout* form_;
    ReasonedButton* start_;
    QLabel* answer_;
    QTableWidget* table_;
};

/// A field of a form with its object name and accessible name set.
template <class W> W* addField(QFormLayout* form, W* field, const char* name, const QString& label)
{
    field->setObjectName(QString::fromLatin1(name));
    field->setAccessibleName(label);
    form->addRow(label, field);
    return field;
}

} // namespace kl::ui
