// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"

#include <optional>
#include <string>

namespace kl::inline stats {

/// What refutes a result, one sentence: the witness's, else the reason. Empty where nothing does or nothing was written down.
std::string refutationText(const Correctness& correctness);

/// The same behind its word: "replays: Behind checked pass 3 the output is …"; the word alone where there is no sentence.
std::string describeRefuted(const Correctness& correctness);

/// "max abs 0.00049, mean abs 2e-05, relative L2 0.0003"; a mean that an older recording lacks is "not recorded".
std::string differenceText(const Correctness& correctness);

/// Where the witness was seen, beyond its sentence: "checked pass 3, out[35]: 4.5 instead of 3, at 0x7f00"; empty where nothing is known.
std::string witnessPlace(const Witness& witness);

/// "335 of 335 timed passes, on 3 hidden input sets; NOTE"; or that the passes were not checked, and why.
std::string proofText(const Correctness& correctness);

} // namespace kl::inline stats
