// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/model/run.h"
#include "core/model/source_lines.h"
#include "kernels/catalogue.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kl {

/// A line with the text that stands there.
struct HotLine {
    SourceLine line;
    std::string stall; ///< dominantStall
    LinePlace cause;   ///< causeOf
    std::string text;  ///< trimmed; empty when the source is not at hand
};

/// The lines at which a run's longest launch spends its time, hottest first, and why there are none or no texts.
struct HotLines {
    std::vector<HotLine> lines;
    std::string unavailable; ///< why there are no lines; empty when there are some
    std::string note;        ///< why lines lack their text or their counts; empty when they have both
};

/// Joins a run's source profile with the source as the catalogue has it. Where that is another source than the one measured, lines
/// carry no text and the note says so.
HotLines hotLines(const RunRecord& run, const Catalogue& catalogue, std::size_t most = 10);

/// The source that a kernel's measurements run from, where its hash is `sourceHash`; null when it changed or the kernel is unknown.
const std::string* measuredSource(const Catalogue& catalogue, const Address& kernel, const std::string& sourceHash);

/// runToJson with "hot_lines": [{file, line, share, samples, stall, stalls, executed, threads, waits_for, cause: {file, line}, text}],
/// beside the whole profile in "source"; absent for a run without one.
Json runToJsonWithLines(const RunRecord& run, const Catalogue& catalogue);

} // namespace kl
