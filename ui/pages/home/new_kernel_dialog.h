// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/dialog.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace kl::ui {

/// Name, folder and template of a new kernel, which it writes as `kloop new-kernel` does.
class NewKernelDialog : public Dialog {
    Q_OBJECT
public:
    explicit NewKernelDialog(QWidget* parent = nullptr);

signals:
    void sourceRequested(); ///< a .cu file that is there already, instead of a template
    /// The path of the kernel.json, and the first variant's address.
    void written(const QString& descriptor, const QString& id);

private:
    void chooseParent();
    void showFolder();
    void write();

    QLineEdit* name_;
    QLineEdit* parent_; ///< folder in which the kernel's own is made
    QComboBox* starter_;
    QLabel* folder_;
    QLabel* error_;
};

} // namespace kl::ui
