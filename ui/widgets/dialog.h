// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/tab_order.h"

#include <QDialog>

namespace kl::ui {

/// A dialog in which Tab follows the layouts.
class Dialog : public QDialog {
    Q_OBJECT
public:
    using QDialog::QDialog;

protected:
    bool focusNextPrevChild(bool next) override { return focusByLayout(this, next); }
};

/// Over its window, until it is closed; then it is gone.
inline void showOver(QDialog* dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace kl::ui
