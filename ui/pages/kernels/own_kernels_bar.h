// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;

namespace kl {

class AppContext;
class ReasonedButton;

/// Under the list of kernels: adds one of the user's, and says of the chosen one where it lies, whether it is checked at every save, and
/// removes it from the list.
class OwnKernelsBar : public QWidget {
    Q_OBJECT
public:
    OwnKernelsBar(AppContext& context, QWidget* parent);

    /// What is chosen: the descriptor's path, empty for a kernel that the program carries, and what removes it (id or path).
    void show(const QString& descriptor, const QString& removeBy);
    const QString& descriptor() const { return descriptor_; }

    bool checksAtSave() const;

    /// As the button does, with a file that was chosen.
    void add(const QString& path);

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

} // namespace kl
