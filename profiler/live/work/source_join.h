// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/source_profile.h"
#include "profiler/live/cupti/pc_sampling.h"
#include "profiler/live/cupti/sass_counts.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline live {

/// Samples and counts of one launch, by instruction and by line. `cubin`: the image it runs from; without line information in it the
/// instructions have no place. Records of the functions in `others` belong to other launches of the sequence and are left out.
/// `counts` may be empty. Needs no GPU.
SourceProfile joinSource(const PcSamples& samples, const std::vector<SassCount>& counts, std::string_view cubin, const std::string& entry,
                         const std::vector<std::string>& others = {});

} // namespace kl::inline live
