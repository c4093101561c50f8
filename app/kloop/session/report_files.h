// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/program.h"
#include "sessions/report/report.h"

#include <string>

namespace CLI {
class App;
}

namespace kl::cli {

/// Where a report goes; empty: not given.
struct ReportOutput {
    std::string format; ///< "html", "md", "json", "csv", "pdf"
    std::string file;   ///< in `format`; empty: standard output
    std::string html;   ///< more files
    std::string markdown;
    std::string pdf;
};

/// Adds --format and --output.
void addOutput(CLI::App& app, ReportOutput& output);

/// Writes a report to the files that are named, or prints it: in the format asked for, as JSON with --json, else as Markdown.
/// Errors: usage for an unknown suffix or PDF without a file, badInput, environment where PDF needs a program that is missing.
Result<int> answerReport(Program& program, const ReportOutput& output, const Report& report);

} // namespace kl::cli
