// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/catalog.h"
#include "sessions/session/session_view.h"

#include <QWidget>

class QVBoxLayout;

namespace kl::ui {

class OptionCard;

/// Stage "One fix": the ranked fixes of the finding as cards. One is chosen; the others gray out with the rule's name.
class FixPanel : public QWidget {
    Q_OBJECT
public:
    explicit FixPanel(QWidget* parent = nullptr);

    void setView(const SessionView& view, const Catalog* catalog);
    void setBusy(const QString& reason);

signals:
    void fixChosen(const QString& fix);

private:
    /// A change that the session offers without a finding, when debugging.
    void addOffer(const SessionView& view, const NextAction& next);
    void addFix(const SessionView& view, const Fix& fix, bool best);

    /// The code of a kind of change, and the sources of both variants, where they are known.
    void addCode(OptionCard* card, const std::string& kind, const Address& from, const std::string& to);

    QVBoxLayout* cards_;
    const Catalog* catalog_ = nullptr; ///< of the view that is shown
};

} // namespace kl::ui
