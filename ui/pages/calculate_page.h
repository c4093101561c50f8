// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include <vector>

class QGridLayout;
class QStackedWidget;
class QTabWidget;

namespace kl::ui {

/// Calculators that need no GPU: shared memory, occupancy, memory tiers, launches. Everything is calculated in core/device and
/// follows each keystroke; `kloop smem | occupancy | advise` give the same figures. A wide window shows all four at once, others one in
/// each tab.
class CalculatePage : public Page {
    Q_OBJECT
public:
    explicit CalculatePage(AppContext& context, QWidget* parent = nullptr);

    /// "shared-memory", "occupancy", "memory" or "launches" shows that calculator.
    void open(const QString& argument) override;
    void refresh() override {} ///< independent of the database

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Calculator {
        QWidget* widget;
        QString title;
        QWidget* place; ///< where it lies in a wide window
    };
    void add(QWidget* calculator, const char* id, const QString& title);
    void arrange(bool wide);

    std::vector<Calculator> calculators_;
    QStackedWidget* stack_;
    QTabWidget* tabs_;
    QGridLayout* grid_;
    bool wide_ = false;
};

} // namespace kl::ui
