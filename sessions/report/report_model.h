// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace kl {

/// Something in a session that a reviewer can comment on: a gate's id, "finding", "outcome", "session".
struct ReviewTarget {
    std::string id;
    std::string title;
};

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
        std::vector<std::string> paragraphs = {};
        std::vector<Table> tables = {};
        std::vector<Chart> charts = {};
        std::string code = {};                  ///< commands to type, shown as they are
        std::vector<ReviewTarget> targets = {}; ///< what of it can be commented on
    };

    std::string title;
    std::string subtitle;
    std::string verdict; ///< the outcome in one sentence
    std::string tone;    ///< "good", "bad", "neutral"
    std::vector<KeyFigure> figures;
    std::vector<Section> sections;
};

/// Fields of a table of raw figures, as they stand in CSV and JSON: no units, no grouping.
std::string rawNumber(double value);

/// RFC 4180 with a header line. A text that a spreadsheet would take for a formula gets an apostrophe before it.
std::string toCsv(const ReportModel::Table& table);

std::string toHtml(const ReportModel& report);
std::string toPrintHtml(const ReportModel& report);
std::string toMarkdown(const ReportModel& report);

/// What stands below a section about one of its targets: safe HTML.
using Remarks = std::function<std::string(const ReviewTarget&)>;
/// toHtml with more style, remarks at each target, and `end` before the end of the page; all three are safe HTML.
std::string toHtml(const ReportModel& report, const std::string& style, const Remarks& remarks, const std::string& end);

} // namespace kl
