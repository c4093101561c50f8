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

} // namespace kl::ui
