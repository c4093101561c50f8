// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"

#include <QPushButton>
#include <QTimer>

class QFrame;

namespace kl::ui {

class KernelTable;

/// A button that names a run and opens a searchable table of all runs to choose another one from: letters filter it, the arrow keys move
/// in it, Enter chooses, Escape closes.
class RunPicker : public QPushButton {
    Q_OBJECT
public:
    /// `profilesOnly`: runs that were only timed are not offered.
    RunPicker(AppContext& context, bool profilesOnly, QWidget* parent = nullptr);

    /// The run that is shown: marked in the table. `text`: on the button, elided to its width; also its tooltip.
    void setRun(const RunId& id, const QString& text);
    /// Opens the table.
    void open();
    KernelTable* table() const { return table_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void picked(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void read();
    void place();
    void take(const QString& id);

    AppContext& context_;
    bool profilesOnly_;
    RunId current_;
    BackgroundJob glancing_;
    BackgroundJob reading_;
    QFrame* popup_;
    KernelTable* table_;
    QTimer typing_;     ///< until the user pauses
    bool more_ = false; ///< the database has more runs than the table
};

} // namespace kl::ui
