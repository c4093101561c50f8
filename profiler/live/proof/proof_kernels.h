// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/device.h"
#include "kernels/model/work.h"
#include "profiler/live/cuda/handles.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline live {

/// The result of checking one output.
struct OutputTally {
    std::uint64_t different = 0;             ///< elements whose bits differ from the first answer
    std::uint64_t bad = 0;                   ///< of them, beyond the tolerance or not finite
    std::optional<std::uint64_t> firstBad;   ///< lowest index
    std::optional<std::uint64_t> firstOther; ///< lowest index of a different one
    double largestError = 0;
    double errorSquares = 0;     ///< summed
    double answerSquares = 0;    ///< of the first answer; only where it was requested
    std::uint64_t notFinite = 0; ///< elements of the output; only where it was requested
};

/// The content of an output before a pass.
enum class Before {
    poison, ///< poison
    other,  ///< the answer to other inputs
    holes,  ///< the correct answer, with some elements poisoned at random places
};

/// An answer stored on the device, masked by a secret key so that a kernel cannot use it.
struct SealedAnswer {
    DeviceMemory memory;
    std::uint64_t key = 0;
    double squares = 0; ///< of its elements, summed
};

/// Device code that fills inputs, prepares outputs, checks them and clears leftovers of launches. Work is issued on the stream that it
/// was made with; needs a current context. One thread.
class ProofKernels {
public:
    /// Errors: no NVRTC, device limits.
    static Result<std::unique_ptr<ProofKernels>> make(const DeviceInfo& device, CUstream stream);

    /// Random content of a buffer whose fill is normal, uniform or outliers, from a secret key. Precondition: isRandom(spec.fill).
    Status fill(CUdeviceptr data, const BufferSpec& spec, std::uint64_t key);

    /// Masks `data` into the answer's memory.
    Status seal(const SealedAnswer& answer, CUdeviceptr data, const BufferSpec& spec);

    /// `answer`: of `before` other and holes. `holeKey`: where the holes are.
    Status prepare(CUdeviceptr data, const BufferSpec& spec, Before before, const SealedAnswer* answer, std::uint64_t holeKey);

    /// Compares an output with an answer; synchronizes. `thorough`: counts elements that are not finite and sums the answer's squares, too.
    Result<OutputTally> check(CUdeviceptr data, const BufferSpec& spec, const SealedAnswer& answer, double maxAbs, bool thorough = false);

    /// Elements at `places` as double precision; synchronizes.
    Result<std::vector<double>> pick(CUdeviceptr data, DType type, const std::vector<std::uint64_t>& places);

    /// A sum that changes with every byte; synchronizes.
    Result<std::uint64_t> hash(CUdeviceptr data, std::size_t bytes);

    /// Random words in all shared memory of every SM.
    Status scrub(std::uint64_t key);

    /// Reads a word of every page on every SM, so that the address is translated once more: what flush() reads displaces the translations
    /// that a launch finds in a series of its own, and a kernel of 2 µs takes 0.1 µs longer (H200).
    Status touch(CUdeviceptr data, std::size_t bytes);

    /// Makes persisting lines of L2 ordinary ones, then reads a buffer four times its size: neither a persisting window nor a hint
    /// to evict last keeps what a launch cached.
    Status flush();

private:
    explicit ProofKernels(CUstream stream) : stream_(stream) {}
    Result<CUfunction> function(const std::string& name);
    Status launch(const std::string& name, std::uint64_t threads, std::initializer_list<const void*> arguments);
    template <class T> Result<T> readBack(const DeviceMemory& memory) const;

    CUstream stream_;
    Module module_;
    std::map<std::string, CUfunction> functions_;
    DeviceMemory tally_;
    DeviceMemory swept_; ///< what flush() reads
    std::uint64_t sweptBytes_ = 0;
    unsigned mostBlocks_ = 1;
    unsigned sharedBytes_ = 0; ///< of an SM, as one block can have it
    unsigned sms_ = 1;
};

/// Fills whose content is drawn; others are fixed by the descriptor.
bool isRandom(Fill fill) noexcept;

/// Fresh random bits from the operating system.
std::uint64_t secretBits();

} // namespace kl::inline live
