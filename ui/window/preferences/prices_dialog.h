// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/dialog.h"

class QLineEdit;
class QPushButton;

namespace kl::ui {

class AppContext;
class ValueTable;

/// Hosts that are measured on, and what an hour of each and of each GPU costs. Each change applies at once.
class PricesDialog : public Dialog {
    Q_OBJECT
public:
    PricesDialog(AppContext& context, QWidget* parent);

private:
    QWidget* makeHosts();
    QWidget* makePrices();
    void showHosts();
    void showPrices();
    void saveHosts();
    void savePrices();
    void addHost();
    void removeHost();

    AppContext& context_;
    ValueTable* hosts_;
    ValueTable* prices_;
    QLineEdit* name_ = nullptr;
    QPushButton* remove_ = nullptr;
};

} // namespace kl::ui
