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

private:
    OptionCard* addDoor(const QString& title, const QString& text, const QString& button, const QString& name);
    void profileProgram();
    void writeKernel();

    AppContext& context_;
    QGridLayout* grid_;
    OptionCard* kernel_;
};

} // namespace kl::ui
