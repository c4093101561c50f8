// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// The checks of NVIDIA's compute-sanitizer, in the order in which they are run.
inline constexpr std::array<const char*, 4> kSanitizerTools{"memcheck", "racecheck", "initcheck", "synccheck"};

/// Where in a kernel something happened.
struct SanitizerPlace {
    std::string kernel;
    std::string file; ///< empty where the code carries no line information
    int line = 0;     ///< 1-based; 0: not known

    bool operator==(const SanitizerPlace&) const = default;
};

/// Something that compute-sanitizer found; the same at one place is one finding, however many threads met it.
struct SanitizerFinding {
    std::string tool;
    std::string what; ///< in the tool's words: "Invalid __global__ write of size 4 bytes"
    SanitizerPlace place;
    std::optional<SanitizerPlace> other;      ///< of a race: the second access
    std::optional<std::array<int, 3>> thread; ///< the first that met it
    std::optional<std::array<int, 3>> block;
    std::string address; ///< "0x7f0c…"; empty where the tool names none
    std::string detail;  ///< what else it says, in one line
    int count = 1;       ///< occurrences that it printed, or counts itself

    bool operator==(const SanitizerFinding&) const = default;
};

/// Reads the text that `compute-sanitizer --tool TOOL` writes, of the versions that CUDA 12.6 to 13.0 carry. What it says of the host (API
/// errors, summaries, backtraces) is no finding.
std::vector<SanitizerFinding> parseSanitizer(const std::string& tool, const std::string& text);

} // namespace kl
