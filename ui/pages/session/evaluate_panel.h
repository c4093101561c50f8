// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace kl::ui {

class SlopeChart;
class MarkLabel;
class ReasonedButton;

/// Stage "Evaluate": before and after as a slope with intervals, the verdict in a sentence, Keep or Revert with the recommended one
/// primary.
class EvaluatePanel : public QWidget {
    Q_OBJECT
public:
    explicit EvaluatePanel(QWidget* parent = nullptr);

    void setView(const SessionView& view);
    void setBusy(const QString& reason);
    /// Whether the panel, as shown, has a button for this action.
    bool offers(SessionAction action) const;

signals:
    void actionRequested(kl::SessionAction action);
    /// Option of gate 5: small, certain gains are parked.
    void cumulativeChosen(bool on);

private:
    void setDecisions(const SessionView& view);
    void setParked(const SessionView& view);

    SlopeChart* slope_;
    MarkLabel* mark_;
    QLabel* sentence_;
    QLabel* figures_;
    ReasonedButton* keep_;
    ReasonedButton* revert_;
    ReasonedButton* park_;
    QCheckBox* cumulative_;
    QLabel* parked_;
    ActionOffer keepOffer_;
    ActionOffer revertOffer_;
};

} // namespace kl::ui
