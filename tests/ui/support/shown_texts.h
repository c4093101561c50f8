// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

class QWidget;

namespace kl::ui {

/// Every text that a window or a page gives to eyes or ears, without regard to its place: labels, buttons, cells with their
/// tooltips, tabs, tooltips, accessible names and descriptions, and what charts paint. Not what code views, diffs, copied blocks
/// and fields hold, which show what is stored.
QStringList findShownTexts(const QWidget& root);

/// Of these texts, those with a figure of ours ("1.27×", "8.13 µs", "$0.37") that has a decimal point.
QStringList findPoints(const QStringList& texts);

/// Whether a text has a figure with a decimal comma.
bool hasComma(const QString& text);

} // namespace kl::ui
