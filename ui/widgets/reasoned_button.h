// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace kl::ui {

/// A button that, while disabled, shows the reason next to it.
class ReasonedButton : public QWidget {
    Q_OBJECT
public:
    explicit ReasonedButton(const QString& text, bool primary = false, QWidget* parent = nullptr);

    /// An empty reason enables the button.
    void setReason(const QString& reason);
    void setText(const QString& text);
    /// Puts the reason below the button, for narrow columns.
    void setReasonBelow();
    QPushButton* button() const { return button_; }

signals:
    void clicked();

private:
    QPushButton* button_;
    QLabel* reason_;
};

/// A push button; the primary one of a page is filled with the accent.
QPushButton* makeButton(const QString& text, bool primary = false, QWidget* parent = nullptr);

/// A button that looks like a link.
QPushButton* makeLinkButton(const QString& text, QWidget* parent = nullptr);

} // namespace kl::ui
