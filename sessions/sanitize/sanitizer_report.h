// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline sanitizer {

/// The checks of NVIDIA's compute-sanitizer, in the order in which they are run.
inline constexpr std::array<const char*, 4> kSanitizerTools{"memcheck", "racecheck", "initcheck", "synccheck"};

/// Those that every candidate must pass before it is kept.
inline constexpr std::array<const char*, 2> kCandidateTools{"memcheck", "initcheck"};

/// Those, and the ones in `foundBy`, which found an error in what the candidate is to replace.
std::vector<std::string> candidateTools(const std::vector<std::string>& foundBy);

/// A place in a kernel.
struct SanitizerPlace {
    std::string kernel;
    std::string file; ///< empty where the code carries no line information
    int line = 0;     ///< 1-based; 0: not known

    bool operator==(const SanitizerPlace&) const = default;
};

/// Something that compute-sanitizer found; the same error at one place is one finding, however many threads caused it.
struct SanitizerFinding {
    std::string tool;
    std::string what; ///< as reported by the tool: "Invalid __global__ write of size 4 bytes"
    SanitizerPlace place;
    std::optional<SanitizerPlace> other;      ///< of a race: the second access
    std::optional<std::array<int, 3>> thread; ///< the first one
    std::optional<std::array<int, 3>> block;
    std::string address; ///< "0x7f0c…"; empty if the tool reports none
    std::string detail;  ///< further information, in one line
    int count = 1;       ///< occurrences that it printed, or counts itself

    bool operator==(const SanitizerFinding&) const = default;
};

/// Reads the text that `compute-sanitizer --tool TOOL` writes, of the versions in CUDA 12.6 to 13.0. Host messages (API
/// errors, summaries, backtraces) are not findings.
std::vector<SanitizerFinding> parseSanitizer(const std::string& tool, const std::string& text);

} // namespace kl::inline sanitizer
