// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/recommend.h"
#include "ui/widgets/card.h"

#include <optional>

class QLabel;
class QVBoxLayout;

namespace kl::ui {

/// The recommended change, with its chance of success and what that is based on.
class LikelyFixCard : public Card {
    Q_OBJECT
public:
    explicit LikelyFixCard(QWidget* parent = nullptr);
    /// Hidden if unset.
    void setAdvice(const std::optional<Advice>& advice);

signals:
    void kernelRequested(const QString& address); ///< a catalog point that has this change

private:
    QLabel* sentence_;
    QLabel* expected_;
    QVBoxLayout* ready_;
    QLabel* basis_;
};

} // namespace kl::ui
