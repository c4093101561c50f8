// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "sessions/engine/session_engine.h"
#endif
#include "ui/widgets/card.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace kl::ui {

class ReasonedButton;

/// Opens a session: name, objective, kernel, and the five questions. Empty answers use the method's defaults.
class NewSessionCard : public Card {
    Q_OBJECT
public:
    explicit NewSessionCard(QWidget* parent = nullptr);

    void setKernels(const Catalog& catalog);
    /// The kinds of session, each with its purpose.
    void setKinds();
    void setName(const QString& name);
    /// Why no session can be opened; empty if one can.
    void setLocked(const QString& reason);

signals:
    void requested(const kl::NewSession& session);

private:
    void submit();
    void describeKind();

    QLineEdit* name_;
    QLineEdit* objective_;
    QComboBox* kernel_;
    QComboBox* kind_;
    QLabel* kindWords_;
    QCheckBox* cumulative_;
    QLineEdit* claimSource_;
    QLineEdit* claimFigure_;
    std::vector<std::pair<std::string, QLineEdit*>> answers_;
    ReasonedButton* open_;
};

} // namespace kl::ui
