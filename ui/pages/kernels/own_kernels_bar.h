// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;

namespace kl::ui {

class AppContext;
class ReasonedButton;

/// Below the list of kernels: adds a user's kernel, shows where the selected one is and whether it is checked on every save, and
/// removes it from the list.
class OwnKernelsBar : public QWidget {
    Q_OBJECT
public:
    OwnKernelsBar(AppContext& context, QWidget* parent);

    /// The selected kernel: the descriptor's path, empty for a built-in kernel, and the id or path that removes it.
    void show(const QString& descriptor, const QString& removeBy);
    const QString& descriptor() const { return descriptor_; }

    bool checksAtSave() const;

    /// Does what the button does for a chosen descriptor: registers the kernel and selects it.
    void add(const QString& path);
    /// The same for a .cu file, which gets a descriptor first.
    void describe(const QString& source);

private:
    void chooseFile();
    void refreshReason();

    AppContext& context_;
    QString descriptor_;
    QString removeBy_;
    ReasonedButton* add_;
    QLabel* place_;
    QCheckBox* atSave_;
    QPushButton* remove_;
};

} // namespace kl::ui
