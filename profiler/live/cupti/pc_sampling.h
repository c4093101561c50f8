// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct CUctx_st;

namespace kl::inline live {

/// Samples at one instruction.
struct PcRecord {
    std::string function; ///< mangled name
    std::uint64_t offset = 0;
    std::uint64_t cubinCrc = 0;                 ///< CUPTI's checksum of the module's cubin
    std::map<std::string, std::int64_t> stalls; ///< samples by reason ("long_scoreboard", "selected")
};

struct PcSamples {
    std::vector<PcRecord> records;
    std::int64_t total = 0;   ///< taken by the hardware, including those without a record
    std::int64_t foreign = 0; ///< of them, in kernels of modules unknown to CUPTI: these have no record
    std::int64_t dropped = 0;
    int periodCycles = 0;

    std::int64_t count() const;
};

/// Hardware samples of the warps' program counters, with the reason why each could not issue. Neither range profiler nor SASS counts may
/// run on the context at the same time. Activity may be recorded: CUPTI's own work for it counts as unknown.
class PcSampler {
public:
    /// Enables sampling for the context (current on the calling thread), not yet started. `periodLog2`: 5 to 31, two to that power
    /// cycles between the samples of an SM. Error environment with the fix: no CUPTI, counters not permitted, not supported.
    static Result<std::unique_ptr<PcSampler>> open(CUctx_st* context, int periodLog2);

    /// Disables it.
    virtual ~PcSampler() = default;

    /// Starts taking samples.
    virtual Status start() = 0;

    /// Samples since start(). The caller has waited for its kernels.
    virtual Result<PcSamples> stop() = 0;
};

} // namespace kl::inline live
