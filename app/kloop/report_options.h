// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl {

/// What a command line says about reports and reviews; empty: not said.
struct ReportOptions {
    std::string html; ///< files to write
    std::string markdown;
    std::string pdf;
    std::string format;               ///< "html", "md", "json", "csv", "pdf"
    std::string output;               ///< file; empty: standard output
    std::vector<std::string> compare; ///< two runs
    bool history = false;
    bool patterns = false;
    std::string target = "session"; ///< of a comment
    std::string author;
    std::string text;
};

} // namespace kl
