// SPDX-License-Identifier: MIT
#include "profiler/live/measure/input_sets.h"

#include "core/base/try.h"
#include "profiler/live/measure/expected_output.h"
#include "profiler/live/session/gpu_session.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr std::size_t kMostSets = 3;
constexpr double kMostOfFree = 0.6;  ///< of the device's free memory; profiling needs room for a snapshot besides
constexpr double kScriptSeconds = 3; ///< a reference script that takes longer runs once, on the problem's own inputs

/// Bytes of a set: its buffers, and a sealed answer for each output.
double countSetBytes(const WorkSpec& work)
{
    double bytes = 0;
    for (const BufferSpec& buffer : work.buffers) {
        const double size = static_cast<double>(buffer.count) * countBytes(buffer.type);
        bytes += buffer.role == BufferRole::output || isReadAndWritten(work, buffer) ? 2 * size : size;
    }
    return bytes;
}

Result<std::size_t> roomFor(const WorkSpec& work)
{
    std::size_t free = 0;
    std::size_t total = 0;
    KL_TRY(KL_CUDA(MemGetInfo, &free, &total));
    if (isPlaced(work)) // what its buffers take is taken already, and there is one place for them
        return 1;
    const double fit = kMostOfFree * static_cast<double>(free) / std::max(countSetBytes(work), 1.0);
    return static_cast<std::size_t>(std::clamp(fit, 0.0, static_cast<double>(kMostSets)));
}

const BufferSpec* outputBuffer(const WorkSpec& work)
{
    for (const BufferSpec& buffer : work.buffers)
        if (buffer.name == work.reference.output)
            return &buffer;
    return nullptr;
}

} // namespace

Result<std::shared_ptr<InputSets>> InputSets::make(GpuSession& session, BuiltWork& work, double referenceSeconds)
{
    KL_ASSIGN(auto* kernels, session.proofKernels());
    std::shared_ptr<InputSets> sets(new InputSets(*kernels, session.bench().stream()));
    sets->spec_ = work.spec();
    KL_TRY(sets->makeSets(session, work));
    KL_TRY(sets->startReference(session, referenceSeconds));
    return sets;
}

Status InputSets::makeSets(GpuSession& session, BuiltWork& work)
{
    KL_ASSIGN(const std::size_t count, roomFor(spec_));
    if (count == 0)
        return deviceLimit("Device memory has no room for a second set of the kernel's buffers.");
    if (count < kMostSets && !isPlaced(spec_))
        note_ = fmt::format("Device memory has room for {} input {} instead of {}.", count, count == 1 ? "set" : "sets", kMostSets);
    if (!work.untouched())
        KL_TRY(work.reset());
    fixed_.resize(spec_.buffers.size());
    const std::vector<MemorySpan> own = work.memory();
    for (std::size_t i = 0; i < spec_.buffers.size(); ++i) {
        const BufferSpec& buffer = spec_.buffers[i];
        if (buffer.role != BufferRole::input)
            continue;
        newInputs_ = newInputs_ || isRandom(buffer.fill);
        if (isRandom(buffer.fill) || (buffer.address && !isReadAndWritten(spec_, buffer)))
            continue;
        KL_ASSIGN(DeviceMemory copy, allocate(own[i].second));
        fixed_[i] = std::move(copy);
        KL_TRY(KL_CUDA(MemcpyDtoDAsync, fixed_[i].get(), own[i].first, own[i].second, stream_));
    }
    for (std::size_t set = 0; set < count; ++set) {
        keys_.push_back(secretBits());
        KL_ASSIGN(std::unique_ptr<BuiltWork> made, session.build(spec_, {.moduleOf = &work, .fillInputs = false, .opcodes = false}));
        const std::vector<MemorySpan> memory = made->memory();
        for (std::size_t i = 0; i < memory.size(); ++i)
            if (spec_.buffers[i].role == BufferRole::input)
                KL_TRY(fill(set, i, memory[i].first));
        sets_.push_back(std::move(made));
    }
    return {};
}

/// On the host beside the measurement; a reference kernel runs at once, since the GPU is this thread's.
Status InputSets::startReference(GpuSession& session, double referenceSeconds)
{
    const BufferSpec* output = outputBuffer(spec_);
    if (!output || !hasReference(spec_.reference) || spec_.reference.data || !newInputs_)
        return {};
    referenceSet_ = secretBits() % sets_.size();
    if (spec_.reference.script && referenceSeconds > kScriptSeconds) {
        note_ += fmt::format("{}The reference script ran only on the problem's own inputs, since it takes {:.0f} s.",
                             note_.empty() ? "" : " ", referenceSeconds);
        return {};
    }
    BuiltWork& set = *sets_[referenceSet_];
    if (spec_.reference.kernel) {
        expected_ = computeExpectedOutput(session, set, *output);
        for (std::size_t i = 0; i < spec_.buffers.size(); ++i) // a kernel that writes an input wrote this one
            if (isReadAndWritten(spec_, spec_.buffers[i]))
                KL_TRY(fill(referenceSet_, i, set.memory()[i].first));
        return {};
    }
    KL_TRY(KL_CUDA(StreamSynchronize, stream_));
    KL_TRY(set.adoptInputs());
    running_ = std::async(std::launch::async, [&session, &set, output] { return computeExpectedOutput(session, set, *output); });
    return {};
}

bool InputSets::serves(const WorkSpec& work) const
{
    const auto inputs = [](const WorkSpec& of) {
        std::vector<BufferSpec> list;
        for (const BufferSpec& buffer : of.buffers)
            if (buffer.role != BufferRole::scratch)
                list.push_back(buffer);
        return list;
    };
    return inputs(work) == inputs(spec_) && work.reference == spec_.reference;
}

Status InputSets::fill(std::size_t set, std::size_t index, CUdeviceptr data)
{
    const BufferSpec& buffer = spec_.buffers[index];
    if (isRandom(buffer.fill))
        return kernels_.fill(data, buffer, keys_[set] ^ (0x9e3779b97f4a7c15ULL * (index + 1)));
    if (!fixed_[index]) // it lies where it must, and nothing writes it
        return {};
    const std::size_t bytes = static_cast<std::size_t>(buffer.count) * static_cast<std::size_t>(countBytes(buffer.type));
    return KL_CUDA(MemcpyDtoDAsync, data, fixed_[index].get(), bytes, stream_);
}

const Result<Expected>* InputSets::awaitExpected()
{
    if (running_.valid())
        expected_ = running_.get();
    return expected_ ? &*expected_ : nullptr;
}

std::int64_t InputSets::bytes() const
{
    std::int64_t all = 0;
    for (const auto& set : sets_)
        all += set->memoryBytes();
    return all;
}

} // namespace kl::inline live
