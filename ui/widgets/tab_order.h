// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace kl::ui {

/// Makes the tab order follow the container's layout instead of the order of creation; what comes before and after
/// the container stays. Call it again after adding rows.
void tabByLayout(QWidget* container);

} // namespace kl::ui
