// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

class QPushButton;
class QWidget;

namespace kl::ui {

/// Shows what was added to a window and deletes what was taken out of it, as the event loop does.
void settleWidgets();

/// Texts of the labels and buttons that a widget shows, in the order in which they were made, without the zero-width characters of
/// breakable names. The widget itself need not be on the screen.
QStringList seenOn(const QWidget& widget);

/// The same on a line each.
QString wordsOn(const QWidget& widget);

/// By its object's name; nullptr where there is none. Settles first.
QPushButton* buttonOn(const QWidget& widget, const QString& name);

} // namespace kl::ui
