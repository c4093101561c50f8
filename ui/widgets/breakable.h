// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/theme.h"

#include <QString>

namespace kl::ui {

/// Names of metrics, template libraries and paths have no spaces: allows line breaks after their separators, and within words of more than
/// 16 characters, with zero-width characters. A decimal point is not a separator.
QString breakable(QString text);
/// The original name, for copying and saving.
QString unbroken(QString text);

/// A label that wraps such a name; copies are unbroken.
QLabel* makeBreakableLabel(const QString& text, TextRole role, QWidget* parent = nullptr);

} // namespace kl::ui
