// SPDX-License-Identifier: MIT
#pragma once

class QLabel;
class QString;
class QWidget;

namespace kl::ui {

/// A muted line under a chart that explains the item that was clicked; hidden while there is nothing to explain.
QLabel* makeHelpLine(QWidget* parent);
void showHelp(QLabel* line, const QString& text);

} // namespace kl::ui
