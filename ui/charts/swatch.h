// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/chart_body.h"

#include <QBrush>

namespace kl {

/// A legend entry: the sign a series is drawn with, then its name.
QWidget* makeSwatch(const LegendItem& item, QWidget* parent = nullptr);

/// The fill of quoted figures, beside the solid one of measured ones.
QBrush makeHatch(Token token);

} // namespace kl
