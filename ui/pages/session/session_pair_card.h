// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"
#include "sessions/learning/history.h"
#include "ui/widgets/card.h"

#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QWidget;

namespace kl::inline report {
struct SessionPair;
}

namespace kl::ui {

class ReasonedButton;

/// Two sessions side by side: kernel, gates, minutes, cost, fix, gain, lessons.
class SessionPairCard : public Card {
    Q_OBJECT
public:
    explicit SessionPairCard(QWidget* parent = nullptr);

    /// The sessions to choose from, newest first.
    void setSessions(const std::vector<HistoryRow>& rows);
    void setPair(const SessionPair& pair);
    void setError(const Error& error);
    /// Shows no comparison: that of before is not of these sessions.
    void clearPair();

signals:
    /// By name; see SessionEngine::find.
    void pairRequested(const QString& a, const QString& b);
    void saveRequested();

private:
    void showReason();

    QComboBox* a_;
    QComboBox* b_;
    ReasonedButton* compare_;
    QPushButton* save_;
    QLabel* failure_;
    QWidget* table_;
    QGridLayout* rows_;
};

} // namespace kl::ui
