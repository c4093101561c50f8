// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/session/session_view.h"

#include <QWidget>

class QVBoxLayout;

namespace kl::ui {

/// Stage "One fix": the ranked fixes of the finding as cards. One is chosen; the others gray out with the rule's name.
class FixPanel : public QWidget {
    Q_OBJECT
public:
    explicit FixPanel(QWidget* parent = nullptr);

    void setView(const SessionView& view);
    void setBusy(const QString& reason);

signals:
    void fixChosen(const QString& fix);

private:
    /// A change that the session offers without a finding, when debugging.
    void addOffer(const SessionView& view, const NextAction& next);
    void addFix(const SessionView& view, const Fix& fix, bool best);

    QVBoxLayout* cards_;
};

} // namespace kl::ui
