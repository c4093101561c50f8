// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QWidget;

namespace kl::ui {

/// Without the zero-width characters of breakable names, and without relative times, which change by themselves.
QString withoutTimes(QString text);

/// Every visible text of a widget in reading order, one per line, without source code and with at most three rows of a table. Relative
/// times ("3 min ago") are replaced by a placeholder; see tests/support/snapshot.h for the others.
QString collectTexts(const QWidget& root);

} // namespace kl::ui
