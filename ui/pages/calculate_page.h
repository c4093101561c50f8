// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

class QTabWidget;

namespace kl::ui {

/// Calculators that need no GPU: shared memory, occupancy, memory tiers, launches. Everything is calculated in core/device and
/// follows each keystroke; `kloop smem | occupancy | advise` give the same figures.
class CalculatePage : public Page {
    Q_OBJECT
public:
    explicit CalculatePage(AppContext& context);

    /// "shared-memory", "occupancy", "memory" or "launches" shows that calculator.
    void open(const QString& argument) override;
    void refresh() override {} ///< independent of the database

private:
    QTabWidget* tabs_;
};

} // namespace kl::ui
