// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace kl {

/// Tab reaches what the container's layout holds in the order in which it lies there, whatever was made first; what comes before and after
/// the container stays. Call it again after adding rows.
void tabByLayout(QWidget* container);

} // namespace kl
