// SPDX-License-Identifier: MIT
#pragma once

class QTabWidget;
class QWidget;

namespace kl::ui {

/// The parent of what becomes a tab: made for another, it would be moved here by addTab, and everything in it styled once more.
QWidget* tabRoom(const QTabWidget& tabs);

} // namespace kl::ui
