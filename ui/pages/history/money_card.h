// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "ui/context/app_context.h"
#include "ui/widgets/card.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace kl::ui {

class ReasonedButton;

/// Costs and returns, with the prices they are based on and a form to add a cost. Entered, measured and quoted values are kept
/// separate.
class MoneyCard : public Card {
    Q_OBJECT
public:
    struct Data {
        std::vector<GpuPrice> prices;
        std::vector<CostEntry> entries;
    };
    explicit MoneyCard(AppContext& context, QWidget* parent = nullptr);
    static Result<Data> load(const Store& store);
    void show(const History& history, const Data& entered);

private:
    QWidget* makeSettings();
    QWidget* makeEntry();
    void showSums(const History& history);
    void showEntries(const History& history, const std::vector<CostEntry>& entries);
    void change(const QString& failed, std::function<Status(Store&)> work);

    AppContext& context_;
    BackgroundJob writer_;
    std::vector<GpuPrice> prices_;
    QVBoxLayout* sums_;
    QVBoxLayout* entries_;
    QComboBox* gpu_;
    QDoubleSpinBox* price_;
    QLabel* source_;
    QDoubleSpinBox* rate_;
    QDoubleSpinBox* target_;
    ReasonedButton* save_;
    QComboBox* session_;
    QComboBox* kind_;
    QDoubleSpinBox* dollars_;
    QLineEdit* note_;
    ReasonedButton* add_;
};

} // namespace kl::ui
