// SPDX-License-Identifier: MIT
#pragma once

#include "ui/window/tools/tool_dialog.h"

class QComboBox;
class QSpinBox;

namespace kl::ui {

/// Measures how much identical code differs on this device: `kloop calibrate` as a form.
class CalibrateDialog : public ToolDialog {
    Q_OBJECT
public:
    /// `kernel`: the address of the one that is chosen at first; without one of the catalog, all are.
    CalibrateDialog(AppContext& context, QWidget* parent, const QString& kernel = {});

protected:
    void start() override;

private:
    QComboBox* kernel_;
    QSpinBox* repeats_;
};

} // namespace kl::ui
