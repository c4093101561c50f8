// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"

#include <QBrush>

namespace kl::ui {

/// A legend entry: the symbol of a series, then its name.
QWidget* makeSwatch(const LegendItem& item, QWidget* parent = nullptr);

/// The fill for what counts less than the solid one: quoted values beside measured ones.
QBrush makeHatch(Token token);

} // namespace kl::ui
