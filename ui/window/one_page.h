// SPDX-License-Identifier: MIT
#pragma once

class QPrinter;
class QTextDocument;

namespace kl::ui {

/// Prints a text on a single page, as large as it fits.
void printOnOnePage(QTextDocument& document, QPrinter& printer);

} // namespace kl::ui
