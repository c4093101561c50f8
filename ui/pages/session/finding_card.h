// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"
#include "ui/widgets/card.h"

class QLabel;

namespace kl::ui {

/// The finding of a session's profile, with a link to the full diagnosis.
class FindingCard : public Card {
    Q_OBJECT
public:
    explicit FindingCard(QWidget* parent = nullptr);
    /// Hidden without a profile.
    void setRun(const std::optional<RunRecord>& run);

signals:
    void diagnoseRequested(const QString& run);

private:
    QString run_;
    QLabel* chips_;
    QLabel* title_;
    QLabel* estimate_;
};

} // namespace kl::ui
