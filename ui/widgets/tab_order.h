// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace kl::ui {

/// What Tab does in a window, and Shift+Tab with `next` unset: gives the focus to the next control in the order of the layouts, whatever
/// the order of creation, and scrolls to it. After the last comes the first. False if the window has no control.
bool focusByLayout(QWidget* window, bool next);

} // namespace kl::ui
