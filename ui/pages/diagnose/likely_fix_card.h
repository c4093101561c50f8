// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/recommend.h"
#include "ui/widgets/card.h"

#include <optional>

class QLabel;
class QVBoxLayout;

namespace kl {

/// What to change next, with the chance that it pays and what that rests on.
class LikelyFixCard : public Card {
    Q_OBJECT
public:
    explicit LikelyFixCard(QWidget* parent = nullptr);
    /// Nothing hides the card.
    void setAdvice(const std::optional<Advice>& advice);

signals:
    void kernelRequested(const QString& address); ///< a ready-made point that is this change away

private:
    QLabel* sentence_;
    QLabel* expected_;
    QVBoxLayout* ready_;
    QLabel* basis_;
};

} // namespace kl
