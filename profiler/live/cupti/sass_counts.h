// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct CUctx_st;

namespace kl::inline live {

/// How often one instruction was executed, over the whole GPU.
struct SassCount {
    std::string function; ///< mangled name
    std::uint64_t offset = 0;
    std::int64_t warps = 0;                   ///< smsp__sass_inst_executed
    std::int64_t threads = 0;                 ///< smsp__sass_thread_inst_executed
    std::int64_t sharedWavefronts = 0;        ///< smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared; 0 also if the chip does not count it
    std::optional<std::int64_t> sectors = {}; ///< smsp__sass_sectors_mem_global; this and the next two only if requested, and the
    std::optional<std::int64_t> idealSectors = {};    ///< chip counts it
    std::optional<std::int64_t> idealWavefronts = {}; ///< smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal
    std::uint32_t cubinCrc = 0;                       ///< CUPTI's, of the module
};

/// Counts executions by patching the kernels that are launched between start() and stop(): they run slower, results are the same.
/// No other CUPTI collection may run on the context meanwhile. Make one per process and device and keep it: CUPTI 13.0 answers "out of
/// memory" when the counters are set up a second time.
class SassCounter {
public:
    /// Sets the counters up. Error environment with the fix: no CUPTI, counters not permitted, not supported on this chip ("GH100").
    /// `accesses`: count sectors and ideal wavefronts, too; where they cannot be set up beside the others, they stay unset.
    static Result<std::unique_ptr<SassCounter>> open(int deviceIndex, const std::string& chip, bool accesses = false);

    virtual ~SassCounter() = default;

    /// Kernels launched in the context (current on the calling thread) are patched from now on.
    virtual Status start(CUctx_st* context) = 0;

    /// Removes the patches; returns the counts of every instruction of the kernels launched since start(). The caller has waited
    /// for them.
    virtual Result<std::vector<SassCount>> stop() = 0;
};

} // namespace kl::inline live
