// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/engine/session_view.h"
#include "sessions/store/rows.h"

#include <string>
#include <vector>

namespace kl {

/// A report as every format shows it: text, tables and charts in order, all figures formatted.
struct ReportModel {
    struct KeyFigure {
        std::string label;
        std::string value;
        std::string note;
    };
    struct Table {
        std::vector<std::string> columns;
        std::vector<std::vector<std::string>> rows;
        std::size_t numericFrom = 99; ///< columns from here on are right-aligned
    };
    struct Chart {
        std::string svg;
        std::string sentence; ///< what it shows; also its accessible name
    };
    struct Section {
        std::string title;
        std::vector<std::string> paragraphs;
        std::vector<Table> tables;
        std::vector<Chart> charts;
    };

    std::string title;
    std::string subtitle;
    std::string verdict; ///< the outcome in one sentence
    std::string tone;    ///< "good", "bad", "neutral"
    std::vector<KeyFigure> figures;
    std::vector<Section> sections;
};

/// Pure. `patterns` gives the titles of those applied.
ReportModel reportOf(const SessionView& view, const std::vector<Pattern>& patterns);

std::string toHtml(const ReportModel& report);
std::string toPrintHtml(const ReportModel& report);
std::string toMarkdown(const ReportModel& report);

} // namespace kl
