// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/measure/hot_lines.h"
#include "ui/charts/hot_line_bars.h"
#include "ui/widgets/code_view.h"

#include <map>

namespace kl::ui {

/// A smaller share of the samples would be shown as 0.0 %.
inline constexpr double kLeastHeat = 0.0005;

/// Hot lines for HotLineBars: the part names, the most frequent stall first, and the rows.
struct HotLineParts {
    QStringList parts;
    std::vector<HotLineRow> rows;
};

/// `known`: part names that already have a color in the stall bars above; they keep their positions.
HotLineParts hotLineParts(const HotLines& hot, const QStringList& known);

/// The heat of one of the run's source files, for CodeView; lines of other files are left out.
std::map<int, LineHeat> mapHeat(const SourceProfile& profile, const std::string& file = kSourceFile);

/// "Line 22 has 61 % of the samples, mostly barrier". If they wait for another line, that line comes first.
QString hotLineTitle(const HotLines& hot);

/// The line of that file to scroll to: the cause of the hottest line, else that line; 0 if neither is in the file.
int lineToShow(const HotLines& hot, const std::string& file = kSourceFile);

/// The line where a kernel function begins: the first with its name before a parenthesis; 0 if there is none.
int findEntryLine(std::string_view source, std::string_view entry);

} // namespace kl::ui
