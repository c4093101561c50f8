// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct CUctx_st;

namespace kl {

/// How often one instruction was executed, over the whole GPU.
struct SassCount {
    std::string function; ///< mangled name
    std::uint64_t offset = 0;
    std::int64_t warps = 0;   ///< smsp__sass_inst_executed
    std::int64_t threads = 0; ///< smsp__sass_thread_inst_executed
};

/// Counts executions by patching the kernels that are launched while it is open: they run slower, results are the same.
/// No other CUPTI collection may run on the context at the same time.
class SassCounter {
public:
    /// Error environment with the fix: no CUPTI, counters not permitted, not supported on this chip ("GH100").
    static Result<std::unique_ptr<SassCounter>> open(CUctx_st* context, int deviceIndex, const std::string& chip);

    /// Takes the patches back.
    virtual ~SassCounter() = default;

    /// Counts of every instruction of the kernels launched since open(). The caller has waited for them.
    virtual Result<std::vector<SassCount>> read() = 0;
};

} // namespace kl
