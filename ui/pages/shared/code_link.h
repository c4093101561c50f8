// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/fix_code.h"

#include <QString>

class QVBoxLayout;
class QWidget;

namespace kl::ui {

/// A link below which code before and after a change is shown, once asked for. `shows` and `hides`: the link's texts.
void addCodeLink(QVBoxLayout* column, const FixCode& code, const QString& shows, const QString& hides, const char* name, QWidget* parent);

} // namespace kl::ui
