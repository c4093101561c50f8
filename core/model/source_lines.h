// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/source_profile.h"

#include <cstddef>
#include <string>

namespace kl {

/// The name of a run's own source in its line table.
inline constexpr const char* kSourceFile = "kernel.cu";

/// "kernel.cu:12"; "no line" for an instruction that is not in the line table.
std::string placeText(const std::string& file, int line);

/// A place in the source.
struct LinePlace {
    std::string file;
    int line = 0;

    bool operator==(const LinePlace&) const = default;
};

/// Fills `lines` and their shares from `instructions` (waitsFor is left alone: it needs the machine code), sorts both by samples,
/// most first, and keeps the first `most` instructions that have any. `samples` is the sum over all of them, before the cut.
void summarizeLines(SourceProfile& profile, std::size_t most = 200);

/// The stall that most of the samples wait for; "selected" only where nothing else was seen. Empty without samples.
std::string dominantStall(const std::map<std::string, std::int64_t>& stalls);

/// The line to look at when `line` is hot: the one whose results most of its samples wait for, where one line has half of them, else
/// the line itself. A sampled program counter is at the stalled instruction, which for a slow load is its first use.
LinePlace findCause(const SourceLine& line);

} // namespace kl
