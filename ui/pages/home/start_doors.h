// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QGridLayout;

namespace kl::ui {

class AppContext;
class OptionCard;

/// The three ways to begin: open a report, profile a program, write a kernel. Beside one another, or below one another in a narrow window.
class StartDoors : public QWidget {
    Q_OBJECT
public:
    explicit StartDoors(AppContext& context, QWidget* parent = nullptr);
    /// Locks what the database does not allow, with the reason.
    void refresh();
    /// What "From a .cu file…" does for a chosen file.
    void describeSource(const QString& source);

private:
    OptionCard* addDoor(const QString& title, const QString& text, const QString& button, const QString& name);
    void profileProgram();
    void writeKernel();
    void addKernel(const QString& descriptor, const QString& id);

    AppContext& context_;
    QGridLayout* grid_;
    OptionCard* kernel_;
};

} // namespace kl::ui
