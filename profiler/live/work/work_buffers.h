// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/model/work.h"
#include "profiler/live/cuda/handles.h"
#include "profiler/live/work/input_cache.h"
#include "profiler/live/work/memory_snapshot.h"
#include "profiler/live/work/placed_memory.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline live {

/// The initial state of a work's buffers and their surroundings.
enum class BufferState {
    guarded, ///< guard bands around each, poison in outputs and scratch: used for checking results
    bare,    ///< each an allocation of exactly its size, outputs and scratch never written (but those that start as zeros): as in a
             ///< program of the user's, so that a memory checker sees every access beyond a buffer and every read of uninitialized memory
};

/// A buffer of a work on the device.
struct WorkBuffer {
    BufferSpec spec;
    std::size_t bytes = 0;
    std::size_t guard = 0;                      ///< bytes on either side; 0 at a given address
    std::shared_ptr<const DeviceMemory> memory; ///< guard, data, guard; null at a given address
    InputCache::Content content;                ///< restored by reset(); inputs only

    CUdeviceptr data() const { return spec.address ? *spec.address : memory->get() + guard; }
};

/// The buffers of a work: allocated with guard bands, filled, restored and read. Needs a current context.
class WorkBuffers {
public:
    WorkBuffers(CUstream stream, BufferState state) : stream_(stream), state_(state) {}

    /// Maps those that have given addresses. First of all: what else the work needs must not take them. Errors: see PlacedMemory::map.
    Status place(const WorkSpec& work);

    /// Allocates the work's other buffers, and makes its inputs where `fillInputs`. `like`: buffers of the same shape are used instead of
    /// new ones; may be null. Errors: device limits, badInput.
    Status allocate(const WorkSpec& work, const WorkBuffers* like, bool fillInputs);

    /// Gives those at given addresses other physical memory, see PlacedMemory::move. Nothing for works without.
    Status move() { return placed_ ? placed_->move() : Status{}; }

    /// Inputs as generated, outputs and scratch as specified (poison unless they start as zeros), guard bands restored. Bare buffers:
    /// only inputs and buffers that start as zeros. Synchronizes.
    Status reset();

    /// Null when there is none of this name.
    const WorkBuffer* find(const std::string& name) const;

    /// Without the guard bands; in the order of the specification's.
    std::vector<MemorySpan> memory() const;

    /// Copies a buffer back. Synchronizes.
    Result<std::vector<std::byte>> read(const std::string& name) const;

    /// Makes the current input contents the initial ones. Synchronizes.
    Status adoptInputs();

    /// Name of a buffer whose guard band was overwritten, and on which side; unset when all are intact. Only for guarded buffers.
    Result<std::optional<std::string>> guardViolation() const;

    /// Device memory, bytes: the guard bands are not the variant's.
    std::int64_t bytes() const noexcept { return bytes_; }

private:
    std::shared_ptr<const DeviceMemory> memoryLike(const BufferSpec& spec) const;

    CUstream stream_;
    BufferState state_;
    std::shared_ptr<PlacedMemory> placed_; ///< of buffers at given addresses
    std::vector<WorkBuffer> buffers_;
    std::int64_t bytes_ = 0;
};

} // namespace kl::inline live
