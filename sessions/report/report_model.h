// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace kl::inline report {

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
        static constexpr std::size_t kAllText = 99; ///< numericFrom of a table without figures

        std::vector<std::string> columns;
        std::vector<std::vector<std::string>> rows;
        std::size_t numericFrom = kAllText; ///< columns from here on are right-aligned
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
        std::vector<ReviewTarget> targets = {}; ///< parts that can be commented on
    };

    std::string title;
    std::string subtitle;
    std::string verdict; ///< the outcome in one sentence
    std::string tone;    ///< "good", "bad", "neutral"
    std::vector<KeyFigure> figures;
    std::vector<Section> sections;
};

/// Fields of a table of raw figures, as in CSV and JSON: no units, no grouping.
std::string rawNumber(double value);

/// RFC 4180 with a header line. A text that a spreadsheet would read as a formula is prefixed with an apostrophe.
std::string toCsv(const ReportModel::Table& table);

/// One file that loads nothing: its Content-Security-Policy allows its own style alone.
std::string toHtml(const ReportModel& report);
std::string toPrintHtml(const ReportModel& report);
std::string toMarkdown(const ReportModel& report);

/// Additional parts of a page; trusted HTML, CSS and JavaScript.
struct PageParts {
    std::string style;                                       ///< more of it
    std::function<std::string(const ReviewTarget&)> remarks; ///< the content below a section about one of its targets
    std::string end;                                         ///< before the script, at the end of the page
    std::string script;                                      ///< the only one that its policy allows
};
std::string toHtml(const ReportModel& report, const PageParts& parts);

} // namespace kl::inline report
