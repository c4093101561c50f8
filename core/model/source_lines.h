// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/source_profile.h"

#include <cstddef>
#include <string>

namespace kl {

/// "kernel.cu:12"; "no line" for an instruction that the line table does not know.
std::string placeText(const std::string& file, int line);

/// Fills `lines` and their shares from `instructions` (waitsFor is left alone: it needs the machine code), sorts both by samples,
/// most first, and keeps the first `most` instructions. `samples` is the sum over all of them, before the cut.
void summariseLines(SourceProfile& profile, std::size_t most = 200);

/// The stall that most of the samples wait for; "selected" only where nothing else was seen. Empty without samples.
std::string dominantStall(const std::map<std::string, std::int64_t>& stalls);

} // namespace kl
