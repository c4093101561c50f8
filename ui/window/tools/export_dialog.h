// SPDX-License-Identifier: MIT
#pragma once

#include "ui/window/tools/tool_dialog.h"

class QComboBox;
class QLineEdit;

namespace kl::ui {

/// Writes runs into a bundle for another machine, or as JSON: `kloop export` as a form.
class ExportDialog : public ToolDialog {
    Q_OBJECT
public:
    ExportDialog(AppContext& context, QWidget* parent);

protected:
    void start() override;

private:
    QComboBox* kernel_;
    QLineEdit* file_;
};

} // namespace kl::ui
