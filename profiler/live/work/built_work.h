// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/host/launch_changes.h"
#include "profiler/live/work/launch_arguments.h"
#include "profiler/live/work/launch_entry.h"
#include "profiler/live/work/work_buffers.h"
#include "profiler/live/work/work_errors.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline live {

class BuiltWork;

/// The source of a work's code and buffers.
struct BuildPlace {
    /// A work whose buffers of the same shape are used instead of new ones, so that an A/B does not compare the addresses of two
    /// allocations; the two must not run at the same time.
    const BuiltWork* memoryOf = nullptr;
    const BuiltWork* moduleOf = nullptr; ///< of the same source: its loaded code, including variables, is used instead of a new copy
    BufferState state = BufferState::guarded;
    bool fillInputs = true; ///< false: the caller fills the inputs, and initial() is empty
    bool opcodes = true;    ///< false: facts() are without the instruction mix, which takes milliseconds to count
};

/// A work specification on the GPU: module, buffers with guard bands, launches ready to issue. Needs a current context.
class BuiltWork {
public:
    /// Allocates, fills, loads. Errors: device limits (memory, shared memory, block size), missing entry (kCompileFailure), badInput.
    static Result<std::unique_ptr<BuiltWork>> build(const WorkSpec& spec, const CompiledSource& compiled, const DeviceInfo& device,
                                                    CUstream stream, const BuildPlace& place = {});

    const WorkSpec& spec() const noexcept { return spec_; }

    /// The loaded code.
    const std::shared_ptr<const Module>& module() const noexcept { return module_; }

    /// Inputs as generated, outputs and scratch as specified (poison unless they start as zeros), guard bands restored. Bare buffers:
    /// only inputs and buffers that start as zeros.
    Status reset() { return buffers_.reset(); }

    /// Gives buffers at given addresses other physical memory with the same content. Synchronizes.
    Status moveMemory() { return buffers_.move(); }

    /// Buffers are as after build(): nothing was issued since.
    bool untouched() const noexcept { return untouched_; }

    /// Issues the launch sequence once, asynchronously: as a graph if specified.
    Status issue();

    /// Issues each launch once, ignoring its repeat, without a graph: for collecting counters.
    Status issueEachOnce();

    /// Issues launch `index` of facts() once, asynchronously.
    Status issueLaunch(std::size_t index);

    /// Issues launch `index` of facts() in another shape, asynchronously. restoreShape() before the work is issued as it is again.
    Status issueWith(std::size_t index, const LaunchSettings& shape);
    Status restoreShape(std::size_t index);

    /// The buffers on the device, without the guard bands; in the order of the specification's.
    std::vector<MemorySpan> memory() const { return buffers_.memory(); }

    /// Kernel launches that issue() makes, and the index into facts() of each.
    const std::vector<std::size_t>& order() const noexcept { return order_; }

    /// One entry per LaunchSpec.
    std::vector<LaunchFacts>& facts() noexcept { return facts_; }

    /// Copies a buffer back. Synchronizes.
    Result<std::vector<std::byte>> read(const std::string& buffer) const { return buffers_.read(buffer); }

    /// Host side of an input buffer, as it was generated.
    const std::vector<std::byte>* initial(const std::string& buffer) const;

    /// Makes the current input contents the initial ones: reset() restores them, initial() returns them. Synchronizes.
    Status adoptInputs() { return buffers_.adoptInputs(); }

    /// Name of a buffer whose guard band was overwritten, and on which side; unset when all are intact. Only for guarded buffers.
    Result<std::optional<std::string>> guardViolation() const { return buffers_.guardViolation(); }

    /// Device memory of the buffers, bytes: the guard bands are not the variant's.
    std::int64_t memoryBytes() const noexcept { return buffers_.bytes(); }

private:
    struct Launch {
        CUfunction function = nullptr;
        LaunchArguments arguments;
    };

    BuiltWork(const WorkSpec& spec, CUstream stream, BufferState state) : spec_(spec), stream_(stream), buffers_(stream, state) {}
    Status setVariables();
    Status prepareLaunches(const DeviceInfo& device);
    Status prepareLaunch(const LaunchSpec& launch, const DeviceInfo& device);
    Status captureGraph();
    Status issueSequence();
    /// `follows`: after another launch of the same call.
    Status launch(std::size_t index, const std::vector<std::int64_t>& grid, std::int64_t dynamicSmem, bool follows = false);
    Status shape(std::size_t index, std::int64_t dynamicSmem, bool mostShared);

    WorkSpec spec_;
    CUstream stream_;
    std::shared_ptr<const Module> module_;
    WorkBuffers buffers_;
    std::vector<Launch> launches_;
    std::vector<LaunchFacts> facts_;
    std::vector<std::size_t> order_;
    GraphExec graph_;
    bool untouched_ = true;
};

} // namespace kl::inline live
