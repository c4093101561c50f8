// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/proof/proof_kernels.h"
#include "profiler/live/work/built_work.h"

#include "kernels/reference/reference.h"

#include <future>
#include <memory>
#include <string>
#include <vector>

namespace kl::inline live {

class GpuSession;

/// Input sets that cannot be known in advance: random contents from a secret key, each set in its own memory. Made once per
/// measurement, or once for all trials of a search, and shared by the works that are measured on them. Inputs that the descriptor fixes
/// (files, ramps, zeros) are the same in each.
class InputSets {
public:
    /// As many sets as fit in device memory, three at most, with an answer each. `work`: of the same shape as all later
    /// works; its inputs are restored first. The reference of one set is evaluated meanwhile, see expected(). `referenceSeconds`: the time
    /// of the problem's own reference; a script's that took longer than 3 s is not run again. Errors: none that the kernel can cause;
    /// device limits where not even one set fits.
    static Result<std::shared_ptr<InputSets>> make(GpuSession& session, BuiltWork& work, double referenceSeconds);

    std::size_t size() const noexcept { return sets_.size(); }

    /// Whether random inputs were drawn.
    bool newInputs() const noexcept { return newInputs_; }

    /// A set's memory, for BuildPlace::memoryOf.
    const BuiltWork& memory(std::size_t set) const { return *sets_[set]; }

    /// Whether a work can be measured on them: the same inputs and reference.
    bool serves(const WorkSpec& work) const;

    /// Writes an input buffer of a work on this set's inputs; `index`: of the specification's buffers. Asynchronous.
    Status fill(std::size_t set, std::size_t index, CUdeviceptr data);

    /// The set whose reference is evaluated, and the values; waits for them. Unset without a reference, or for the reason in note().
    std::size_t referenceSet() const noexcept { return referenceSet_; }
    const Result<Expected>* awaitExpected();

    /// What could not be created, one sentence; empty if complete.
    const std::string& note() const noexcept { return note_; }

    /// The shortest median of the trials on them, ns; 0 before the first. Slower ones can be cut short.
    double bestTrialNs() const noexcept { return bestTrialNs_; }
    void noteTrial(double ns) noexcept { bestTrialNs_ = bestTrialNs_ > 0 && bestTrialNs_ < ns ? bestTrialNs_ : ns; }

    /// Device memory that they hold, bytes.
    std::int64_t bytes() const;

private:
    InputSets(ProofKernels& kernels, CUstream stream) : kernels_(kernels), stream_(stream) {}
    Status makeSets(GpuSession& session, BuiltWork& work);
    Status startReference(GpuSession& session, double referenceSeconds);

    ProofKernels& kernels_;
    CUstream stream_;
    WorkSpec spec_; ///< of the first work
    double bestTrialNs_ = 0;
    std::vector<std::unique_ptr<BuiltWork>> sets_;
    std::vector<std::uint64_t> keys_;
    std::vector<DeviceMemory> fixed_; ///< by buffer: content of inputs that are not drawn
    bool newInputs_ = false;
    std::size_t referenceSet_ = 0;
    std::future<Result<Expected>> running_;
    std::optional<Result<Expected>> expected_;
    std::string note_;
};

} // namespace kl::inline live
