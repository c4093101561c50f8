// SPDX-License-Identifier: MIT
#pragma once

#include "ui/style/theme.h"

#include <QString>

namespace kl {

/// Names of metrics, template libraries and paths have no blanks: lets a line end after their joints, by characters of no width. A figure's
/// decimal point is no joint.
QString breakable(QString text);
/// The name again, as it is copied and saved.
QString unbroken(QString text);

/// Wraps such a name; what is copied from it is unbroken.
QLabel* makeBreakableLabel(const QString& text, TextRole role, QWidget* parent = nullptr);

} // namespace kl
