// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/engine/hot_lines.h"
#include "ui/charts/hot_line_bars.h"
#include "ui/widgets/code_view.h"

#include <map>

namespace kl {

/// Hot lines for HotLineBars: the part names, the most frequent stall first, and the rows.
struct HotLineParts {
    QStringList parts;
    std::vector<HotLineRow> rows;
};

/// `known`: part names that have their colours already, as the stall bars above give them; they keep their places.
HotLineParts hotLineParts(const HotLines& hot, const QStringList& known);

/// The heat of a run's own source, for CodeView; lines of other files are left out.
std::map<int, LineHeat> heatOf(const SourceProfile& profile);

/// "Line 22 has 61 % of the samples, most for barrier", led by the line that they wait for where that is another one.
QString hotLineTitle(const HotLines& hot);

/// The line to bring into view: the cause of the hottest line, where it is of the run's own source; 0 without one.
int lineToShow(const HotLines& hot);

} // namespace kl
