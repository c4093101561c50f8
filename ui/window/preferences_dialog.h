// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/dialog.h"

class QFormLayout;

namespace kl::ui {

class AppContext;

/// Theme, prices and hosts, thresholds, the Python interpreter, and where data is stored. Each change applies at once.
class PreferencesDialog : public Dialog {
    Q_OBJECT
public:
    PreferencesDialog(AppContext& context, QWidget* parent);

private:
    void addTheme(QFormLayout* form);
    void addPrices(QFormLayout* form);
    void addThresholds(QFormLayout* form);
    void addPython(QFormLayout* form);
    void addStorage(QFormLayout* form);

    AppContext& context_;
};

} // namespace kl::ui
