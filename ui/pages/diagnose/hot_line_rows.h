// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/engine/hot_lines.h"
#include "ui/charts/hot_line_bars.h"
#include "ui/widgets/code_view.h"

#include <map>

namespace kl {

/// A smaller share of the samples would read 0.0 %.
inline constexpr double kLeastHeat = 0.0005;

/// Hot lines for HotLineBars: the part names, the most frequent stall first, and the rows.
struct HotLineParts {
    QStringList parts;
    std::vector<HotLineRow> rows;
};

/// `known`: part names that have their colors already, as the stall bars above give them; they keep their places.
HotLineParts hotLineParts(const HotLines& hot, const QStringList& known);

/// The heat of one source file of the run's, for CodeView; lines of other files are left out.
std::map<int, LineHeat> mapHeat(const SourceProfile& profile, const std::string& file = kSourceFile);

/// "Line 22 has 61 % of the samples, most for barrier", led by the line that they wait for where that is another one.
QString hotLineTitle(const HotLines& hot);

/// The line of that file to bring into view: the cause of the hottest line, else that line; 0 where neither is in the file.
int lineToShow(const HotLines& hot, const std::string& file = kSourceFile);

/// The line where a kernel function begins: the first that has its name before a bracket; 0 where there is none.
int findEntryLine(std::string_view source, std::string_view entry);

} // namespace kl
