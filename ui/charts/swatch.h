// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"

#include <QBrush>

namespace kl::ui {

/// A legend entry: the symbol of a series, then its name.
QWidget* makeSwatch(const LegendItem& item, QWidget* parent = nullptr);

/// The fill for quoted values; measured ones are solid.
QBrush makeHatch(Token token);

} // namespace kl::ui
