// SPDX-License-Identifier: MIT
#pragma once

#include "ui/window/tools/tool_dialog.h"

#ifndef Q_MOC_RUN
#include "sessions/bisect/kernel_bisect.h"
#endif

class QComboBox;
class QDoubleSpinBox;
class QLineEdit;

namespace kl::ui {

/// Finds the commit that broke a user's kernel or made it slower: `kloop bisect` as a form.
class BisectDialog : public ToolDialog {
    Q_OBJECT
public:
    BisectDialog(AppContext& context, QWidget* parent);

protected:
    void start() override;

private:
    Result<KernelBisect> readWanted() const;
    void showReason();
    void showResult(const Result<BisectResult>& result);

    QComboBox* kernel_;
    QLineEdit* good_;
    QLineEdit* bad_;
    QComboBox* about_;
    QDoubleSpinBox* ratio_;
    QLineEdit* problem_;
};

} // namespace kl::ui
