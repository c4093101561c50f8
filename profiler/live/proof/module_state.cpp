// SPDX-License-Identifier: MIT
#include "profiler/live/proof/module_state.h"

#include "core/base/try.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

bool isDeclared(const std::vector<std::string>& declared, const std::string& name)
{
    return std::ranges::find(declared, name) != declared.end();
}

Status checkNames(const std::vector<std::string>& declared, const std::vector<ModuleVariable>& known)
{
    for (const std::string& name : declared) {
        if (std::ranges::find(known, name, &ModuleVariable::name) != known.end())
            continue;
        std::string names;
        for (const ModuleVariable& variable : known)
            names += (names.empty() ? "" : ", ") + variable.name;
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("\"state\" names {}, which is not a variable of the compiled code.", name),
                     .hint = names.empty() ? "The code has no __device__ variable: remove the entry."
                                           : fmt::format("Its variables: {}.", names),
                     .where = "state"};
    }
    return {};
}

} // namespace

Result<ModuleState> ModuleState::read(const Module& module, std::string_view cubin, const std::vector<std::string>& declared,
                                      ProofKernels& kernels, CUstream stream)
{
    const std::vector<ModuleVariable> known = moduleVariables(cubin);
    KL_TRY(checkNames(declared, known));
    ModuleState state;
    for (const ModuleVariable& variable : known) {
        Variable found;
        found.of = variable;
        std::size_t bytes = 0;
        if (cuda().ModuleGetGlobal(&found.data, &bytes, module.get(), variable.name.c_str()) != CUDA_SUCCESS)
            continue; // the linker dropped it: no code refers to it
        KL_ASSIGN(const std::uint64_t sum, kernels.hash(found.data, variable.bytes));
        found.sum = sum;
        if (isDeclared(declared, variable.name)) {
            KL_ASSIGN(DeviceMemory copy, allocate(variable.bytes));
            found.initial = std::move(copy);
            KL_TRY(KL_CUDA(MemcpyDtoDAsync, found.initial.get(), found.data, variable.bytes, stream));
        }
        state.variables_.push_back(std::move(found));
    }
    return state;
}

Status ModuleState::restore(CUstream stream) const
{
    for (const Variable& variable : variables_)
        if (variable.initial)
            KL_TRY(KL_CUDA(MemcpyDtoDAsync, variable.data, variable.initial.get(), variable.of.bytes, stream));
    return {};
}

Result<std::vector<std::uint64_t>> ModuleState::sums(ProofKernels& kernels) const
{
    std::vector<std::uint64_t> sums;
    for (const Variable& variable : variables_) {
        KL_ASSIGN(const std::uint64_t sum, kernels.hash(variable.data, variable.of.bytes));
        sums.push_back(sum);
    }
    return sums;
}

} // namespace kl::inline live
