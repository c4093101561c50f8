// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace kl {

/// Names of metrics, template libraries and paths have no blanks: lets a line end after their joints, by characters of no width.
QString breakable(QString text);
/// The name again, as it is copied and saved.
QString unbroken(QString text);

} // namespace kl
