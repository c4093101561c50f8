// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/model/run.h"
#include "core/model/source_lines.h"
#include "kernels/catalog.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline measure {

/// A line with its text; of code without a line table a machine instruction.
struct HotLine {
    SourceLine line;
    std::optional<std::int64_t> offset; ///< of the instruction, bytes from its function's start; then `line` has no place
    std::string stall;                  ///< dominantStall
    LinePlace cause;                    ///< findCause
    std::string text;                   ///< trimmed; empty without the source. Of an instruction the function's name
};

/// The hottest lines of a run's longest launch, hottest first, and the reason if there are none or no texts.
struct HotLines {
    std::vector<HotLine> lines;
    bool instructions = false; ///< `lines` are machine instructions
    std::string unavailable;   ///< why there are no lines; empty when there are some
    std::string note;          ///< why lines have no text or no counts; empty when they have both
};

/// Joins a run's source profile with the source: that of the catalog, or the stored source of a program. If that differs from
/// the measured one, or is missing, lines have no text and the note says so.
HotLines hotLines(const RunRecord& run, const Catalog& catalog, std::size_t most = 10);

/// Source to show with a run's hot lines.
struct ShownSource {
    std::string file; ///< its name in the lines
    std::string text;
};

/// The run's own source or, of a program, the file of its hottest line. Unset where it changed since, is unknown or was not found.
std::optional<ShownSource> findShownSource(const RunRecord& run, const Catalog& catalog);

/// The source of a kernel's measurements, if its hash is `sourceHash`; null when it changed or the kernel is unknown.
const std::string* findMeasuredSource(const Catalog& catalog, const Address& kernel, const std::string& sourceHash);

/// runToJson with, of a profile, "targets" (targetsToJson), and with "hot_lines": [{file, line, share, samples, stall, stalls, executed,
/// threads, waits_for, cause: {file, line}, text}], along with the whole profile but its machine code in "source"; absent for a run without
/// one. Code without a line table has no hot lines but "hot_instructions": [{function, offset, share, samples, stall, stalls, executed,
/// threads}].
Json runToJsonWithLines(const RunRecord& run, const Catalog& catalog);

} // namespace kl::inline measure
