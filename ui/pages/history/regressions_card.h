// SPDX-License-Identifier: MIT
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 cannot read libstdc++'s concepts
#include "sessions/learning/regressions.h"
#endif
#include "ui/context/app_context.h"
#include "ui/widgets/card.h"

class QVBoxLayout;

namespace kl::ui {

/// Kernels that became slower (the list of `kloop regress`): each can be acknowledged, declared fixed or the new normal, with a note, and
/// the newest of these undone.
class RegressionsCard : public Card {
    Q_OBJECT
public:
    explicit RegressionsCard(AppContext& context, QWidget* parent = nullptr);
    void show(const std::vector<KernelRegression>& rows);

private:
    QWidget* makeRegression(const KernelRegression& row);
    void change(std::function<Result<KernelRegression>(Store&)> work);

    AppContext& context_;
    BackgroundJob writer_;
    QVBoxLayout* rows_;
};

} // namespace kl::ui
