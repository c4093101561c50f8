// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/proof/proof_kernels.h"
#include "profiler/live/ptx/module_variables.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline live {

/// The variables of a loaded module, and their initial content: changes by one launch are visible to the next.
class ModuleState {
public:
    struct Variable {
        ModuleVariable of;
        CUdeviceptr data = 0;
        std::uint64_t sum = 0; ///< ProofKernels::hash of its initial content
        DeviceMemory initial;  ///< the content itself; only for declared ones
    };

    /// `declared`: names that may change according to the descriptor. Error badInput for one that the module does not have.
    static Result<ModuleState> read(const Module& module, std::string_view cubin, const std::vector<std::string>& declared,
                                    ProofKernels& kernels, CUstream stream);

    /// Puts the declared variables back; asynchronous, copies.
    Status restore(CUstream stream) const;

    const std::vector<Variable>& variables() const noexcept { return variables_; }

    /// The current content of each variable, as Variable::sum; synchronizes.
    Result<std::vector<std::uint64_t>> sums(ProofKernels& kernels) const;

private:
    std::vector<Variable> variables_;
};

} // namespace kl::inline live
