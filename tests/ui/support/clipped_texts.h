// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

class QWidget;

namespace kl::ui {

/// Texts that do not fit what shows them, from font metrics: labels, buttons, fields, headers of tables, tabs; and widgets that overlap,
/// lie outside of what holds them, or need a page to scroll sideways. A text whose tooltip has the whole of it may be cut, and so may a
/// cell of a table, which shows its whole text under the mouse.
QStringList findClipped(const QWidget& root);

} // namespace kl::ui
