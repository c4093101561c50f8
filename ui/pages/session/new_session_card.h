// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "sessions/engine/session_preview.h"
#endif
#include "ui/widgets/card.h"

#include <memory>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace kl::ui {

class ReasonedButton;

/// The form of a new session: kind, kernel, starting variant, problem, budget, name, objective, and the five opening questions. Empty
/// answers use the method's defaults. What a recording does not hold is listed and cannot be chosen; the page asks the engine for that, and
/// for what the session will do, at each change.
class NewSessionCard : public Card {
    Q_OBJECT
public:
    explicit NewSessionCard(QWidget* parent = nullptr);

    void setKernels(std::shared_ptr<const Catalog> catalog);
    /// The kinds of session, each with its purpose.
    void setKinds();
    void setName(const QString& name);
    /// Kernel (a family, or a variant to start from), objective and kind that something else suggests; empty ones change nothing.
    void propose(const QString& kernel, const QString& objective, const QString& kind = {}, const QString& problem = {});
    /// Why no session can be opened; empty if one can.
    void setLocked(const QString& reason);
    /// What can be chosen with the rest of the form.
    void setChoices(const SessionChoices& choices);
    /// What the session would do: the defaults of the form, and what keeps it from being opened.
    void setPreview(const Result<SessionPreview>& preview);
    /// The form as it is. Error usage for a problem that cannot be read.
    Result<NewSession> draft() const;

signals:
    void requested(const kl::NewSession& session);
    /// Something was chosen that changes what the session will do.
    void changed();

private:
    void addKernelRows(QFormLayout* form);
    void addQuestions(QFormLayout* form);
    void submit();
    void describeKind();
    void fillVariants();
    void showReason();

    std::shared_ptr<const Catalog> catalog_;
    QLineEdit* name_;
    QLineEdit* objective_;
    QComboBox* kernel_;
    QComboBox* variant_;
    QComboBox* problem_;
    QComboBox* kind_;
    QLabel* kindWords_;
    QSpinBox* budget_;
    QCheckBox* cumulative_;
    QLineEdit* claimSource_;
    QLineEdit* claimFigure_;
    std::vector<std::pair<std::string, QLineEdit*>> answers_;
    ReasonedButton* open_;
    QString locked_;
    QString missing_;
    QString tuned_; ///< the proposed variant with its tunables, which the form keeps as long as that variant is chosen
};

} // namespace kl::ui
