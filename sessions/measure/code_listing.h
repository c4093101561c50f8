// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/model/run.h"
#include "core/sass/code_diff.h"
#include "kernels/catalog.h"

#include <map>
#include <string>

namespace kl::inline measure {

/// The machine code of a run with its counters. Of a run from before machine code was kept, the sampled instructions, without texts; none
/// without those.
SharedCode findCode(const RunRecord& run);

/// The source files of a run, by their names in its code: the kernel's own, unless it has changed since, or those recorded with the
/// profile.
std::map<std::string, std::string> sourceTexts(const RunRecord& run, const Catalog& catalog);

/// {"language", "not_disassembled", "functions", "samples", "registers", "instructions": [{function, offset, file, line, text, samples,
/// stalls, executed, threads, sectors, ideal_sectors, wavefronts, ideal_wavefronts, live_registers}], "lines": [the same, summed by line,
/// with "instructions": their number]}. What was not collected is null.
Json codeListingToJson(const KernelCode& code, const RunRecord& run);

/// A run's side of diffCode(): its code, which outlives the answer, and the time of the launch that it was sampled in.
CodeSide makeCodeSide(const RunRecord& run, const SharedCode& code);

/// {"added", "removed", "changed", "spills", "most_live", "opcodes": [{opcode, a, b, moved_ns}], "rows": [{a, b, changed, moved_ns}]}: a
/// and b are places in the two lists of instructions.
Json diffToJson(const CodeDiff& diff);

} // namespace kl::inline measure
