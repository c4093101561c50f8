// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace kl::ui {

/// A surface with a title, an optional muted caption, controls on the right, and a body.
class Card : public QFrame {
    Q_OBJECT
public:
    explicit Card(const QString& title = {}, QWidget* parent = nullptr);

    void setTitle(const QString& title); ///< hidden when empty; wraps
    QString title() const;
    void setCaption(const QString& caption); ///< a muted line under the title; hidden when empty
    /// "accent" for the one card of a page that recommends an action; empty: plain.
    void setTone(const QString& tone);

    QVBoxLayout* body() const { return body_; }
    /// Widgets to the right of the title.
    QHBoxLayout* tools() const { return tools_; }

private:
    QLabel* title_;
    QLabel* caption_;
    QHBoxLayout* tools_;
    QVBoxLayout* body_;
};

/// Makes a column of a page `least` pixels wide, or as wide as its controls need, e.g. in another language.
void fixColumn(QWidget* column, int least);

/// Removes and deletes everything in a layout.
void clearLayout(class QLayout* layout);

/// A one-pixel line.
QFrame* makeHairline(QWidget* parent = nullptr);

} // namespace kl::ui
