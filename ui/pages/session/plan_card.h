// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

class QPushButton;
class QTextBrowser;

namespace kl::ui {

/// The plan of a session as Markdown: shown when the session has just been opened, folded away later, and saved to a file.
class PlanCard : public Card {
    Q_OBJECT
public:
    explicit PlanCard(QWidget* parent = nullptr);

    /// `fresh`: nothing has been done in the session yet.
    void setPlan(const QString& markdown, bool fresh);

signals:
    void saveRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void unfold(bool open);
    void showText(); ///< while it is folded away, nothing is laid out
    void fitHeight();

    QTextBrowser* text_;
    QPushButton* fold_;
    QString markdown_;
    QString shown_;        ///< of markdown_, what text_ has
    bool touched_ = false; ///< the user has folded or unfolded it
};

} // namespace kl::ui
