// SPDX-License-Identifier: MIT
#include "profiler/live/proof/proof_kernels.h"

#include "core/base/try.h"
#include "kernels/data/numbers.h"
#include "kernels/model/work_fields.h"
#include "profiler/live/nvrtc/compile_cache.h"
#include "profiler/live/proof/proof_source.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <random>

namespace kl::inline live {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerSm = 8; // enough loads in flight for the memory's bandwidth
constexpr std::uint64_t kHoles = 32;
constexpr std::uint64_t kTimesL2 = 4;
constexpr std::int64_t kSmallestL2 = 8 << 20; // where the driver does not report one

/// struct Tally of the device code.
struct RawTally {
    std::uint64_t different = 0;
    std::uint64_t bad = 0;
    std::uint64_t firstBad = 0;
    std::uint64_t firstOther = 0;
    std::uint64_t largest = 0;
    double squares = 0;
    double wanted = 0;
    std::uint64_t notFinite = 0;
};

/// Names of the device code's kernels end in it.
const char* typeWord(DType type)
{
    for (const auto& [known, word] : enumWords(DType{}))
        if (known == type)
            return word;
    return "u32";
}

/// Random elements of a type, as the device code counts kinds.
int fillKind(const BufferSpec& spec)
{
    if (spec.type == DType::boolean)
        return 4;
    if (isInteger(spec.type))
        return 3;
    return spec.fill == Fill::uniform ? 1 : spec.fill == Fill::outliers ? 2 : 0;
}

std::optional<std::uint64_t> indexOr(std::uint64_t index)
{
    return index == ~0ULL ? std::nullopt : std::optional(index);
}

} // namespace

bool isRandom(Fill fill) noexcept
{
    return fill == Fill::normal || fill == Fill::uniform || fill == Fill::outliers;
}

std::uint64_t secretBits()
{
    std::random_device system;
    return static_cast<std::uint64_t>(system()) << 32 | system();
}

Result<std::unique_ptr<ProofKernels>> ProofKernels::make(const DeviceInfo& device, CUstream stream)
{
    KL_ASSIGN(auto* compiler, CompileCache::shared());
    KL_ASSIGN(const CompileCache::Compiled made, compiler->compile({kProofSource, {}, formatArch(device)}));
    if (!made->ok)
        return Error{.code = ErrorCode::internal, .message = "The worker's own checking kernels do not compile.", .detail = made->log};
    std::unique_ptr<ProofKernels> kernels(new ProofKernels(stream));
    KL_ASSIGN(Module module, loadModule(made->cubin.data()));
    kernels->module_ = std::move(module);
    KL_ASSIGN(DeviceMemory tally, allocate(sizeof(RawTally)));
    kernels->tally_ = std::move(tally);
    kernels->sweptBytes_ = kTimesL2 * static_cast<std::uint64_t>(std::max(device.l2Bytes, kSmallestL2));
    KL_ASSIGN(DeviceMemory swept, allocate(kernels->sweptBytes_));
    kernels->swept_ = std::move(swept);
    KL_TRY(KL_CUDA(MemsetD8Async, kernels->swept_.get(), 0, kernels->sweptBytes_, stream));
    kernels->sms_ = static_cast<unsigned>(std::max(device.smCount, 1));
    kernels->mostBlocks_ = kernels->sms_ * kBlocksPerSm;
    kernels->sharedBytes_ = static_cast<unsigned>(device.smemPerBlockOptin) & ~3U;
    KL_ASSIGN(const CUfunction scrub, kernels->function("klp_scrub"));
    KL_TRY(KL_CUDA(FuncSetAttribute, scrub, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(kernels->sharedBytes_)));
    return kernels;
}

Result<CUfunction> ProofKernels::function(const std::string& name)
{
    if (const auto known = functions_.find(name); known != functions_.end())
        return known->second;
    CUfunction found = nullptr;
    KL_TRY(KL_CUDA(ModuleGetFunction, &found, module_.get(), name.c_str()));
    return functions_[name] = found;
}

Status ProofKernels::launch(const std::string& name, std::uint64_t threads, std::initializer_list<const void*> arguments)
{
    KL_ASSIGN(const CUfunction kernel, function(name));
    std::vector<void*> pointers;
    for (const void* argument : arguments)
        pointers.push_back(const_cast<void*>(argument)); // the driver only reads them
    const std::uint64_t wanted = std::max<std::uint64_t>((threads + kThreads - 1) / kThreads, 1);
    const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(wanted, mostBlocks_));
    return checkCuda(cuda().LaunchKernel(kernel, blocks, 1, 1, kThreads, 1, 1, 0, stream_, pointers.data(), nullptr),
                     "cuLaunchKernel(of a checking kernel)");
}

Status ProofKernels::fill(CUdeviceptr data, const BufferSpec& spec, std::uint64_t key)
{
    const auto count = static_cast<std::uint64_t>(spec.count);
    const int kind = fillKind(spec);
    const int low = isInteger(spec.type) && findRange(spec.type).first < 0 ? -8 : 0;
    const auto scale = static_cast<float>(spec.scale);
    return launch(fmt::format("klp_fill_{}", typeWord(spec.type)), count, {&data, &count, &kind, &scale, &low, &key});
}

Status ProofKernels::seal(const SealedAnswer& answer, CUdeviceptr data, const BufferSpec& spec)
{
    const auto count = static_cast<std::uint64_t>(spec.count);
    CUdeviceptr sealed = answer.memory.get();
    return launch(fmt::format("klp_seal_{}", countBytes(spec.type)), count, {&sealed, &data, &count, &answer.key});
}

Status ProofKernels::prepare(CUdeviceptr data, const BufferSpec& spec, Before before, const SealedAnswer* answer, std::uint64_t holeKey)
{
    const auto count = static_cast<std::uint64_t>(spec.count);
    const int mode = !answer || before == Before::poison ? 0 : before == Before::other ? 1 : 2;
    CUdeviceptr sealed = answer ? answer->memory.get() : 0;
    const std::uint64_t key = answer ? answer->key : 0;
    const std::uint64_t word = spec.fill == Fill::zeros ? 0 : poisonWord(spec.type);
    const std::uint64_t poison = countBytes(spec.type) == 8 ? word << 32 | word : word;
    return launch(fmt::format("klp_prepare_{}", countBytes(spec.type)), count,
                  {&data, &sealed, &count, &mode, &key, &holeKey, &kHoles, &poison});
}

template <class T> Result<T> ProofKernels::readBack(const DeviceMemory& memory) const
{
    KL_TRY(KL_CUDA(StreamSynchronize, stream_));
    T value{};
    KL_TRY(KL_CUDA(MemcpyDtoH, &value, memory.get(), sizeof value));
    return value;
}

Result<OutputTally> ProofKernels::check(CUdeviceptr data, const BufferSpec& spec, const SealedAnswer& answer, double allowed, bool thorough)
{
    const double maxAbs = spec.type == DType::boolean ? 0 : allowed; // true is not nearly false
    const auto count = static_cast<std::uint64_t>(spec.count);
    CUdeviceptr sealed = answer.memory.get();
    CUdeviceptr tally = tally_.get();
    KL_TRY(launch("klp_begin", 1, {&tally})); // a kernel, since a copy would count as one of the pass's activities
    const int wantNorm = thorough ? 1 : 0;
    KL_TRY(
        launch(fmt::format("klp_check_{}", typeWord(spec.type)), count, {&data, &sealed, &count, &answer.key, &maxAbs, &wantNorm, &tally}));
    KL_ASSIGN(const RawTally raw, readBack<RawTally>(tally_));
    return OutputTally{raw.different, raw.bad,    indexOr(raw.firstBad), indexOr(raw.firstOther), std::bit_cast<double>(raw.largest),
                       raw.squares,   raw.wanted, raw.notFinite};
}

Result<std::vector<double>> ProofKernels::pick(CUdeviceptr data, DType type, const std::vector<std::uint64_t>& places)
{
    std::vector<double> values(places.size());
    if (places.empty())
        return values;
    const std::uint64_t count = places.size();
    const Result<DeviceMemory> from = allocate(count * sizeof(std::uint64_t));
    const Result<DeviceMemory> to = allocate(count * sizeof(double));
    if (!from || !to)
        return !from ? from.error() : to.error();
    CUdeviceptr where = from->get();
    CUdeviceptr what = to->get();
    KL_TRY(KL_CUDA(MemcpyHtoDAsync, where, places.data(), count * sizeof(std::uint64_t), stream_));
    KL_TRY(launch(fmt::format("klp_pick_{}", typeWord(type)), count, {&data, &where, &count, &what}));
    KL_TRY(KL_CUDA(StreamSynchronize, stream_));
    KL_TRY(KL_CUDA(MemcpyDtoH, values.data(), what, count * sizeof(double)));
    return values;
}

Result<std::uint64_t> ProofKernels::hash(CUdeviceptr data, std::size_t bytes)
{
    KL_TRY(KL_CUDA(MemsetD8Async, tally_.get(), 0, sizeof(std::uint64_t), stream_));
    const std::uint64_t size = bytes;
    CUdeviceptr sum = tally_.get();
    KL_TRY(launch("klp_hash", size / 4 + 1, {&data, &size, &sum}));
    return readBack<std::uint64_t>(tally_);
}

Status ProofKernels::scrub(std::uint64_t key)
{
    KL_ASSIGN(const CUfunction kernel, function("klp_scrub"));
    unsigned words = sharedBytes_ / 4;
    std::array<void*, 2> arguments{&words, &key};
    return checkCuda(cuda().LaunchKernel(kernel, sms_, 1, 1, 1024, 1, 1, sharedBytes_, stream_, arguments.data(), nullptr),
                     "cuLaunchKernel(klp_scrub)");
}

Status ProofKernels::touch(CUdeviceptr data, std::size_t bytes)
{
    const std::uint64_t words = bytes / 4;
    CUdeviceptr sink = tally_.get();
    return launch("klp_touch", static_cast<std::uint64_t>(sms_) * kThreads, {&data, &words, &sink});
}

Status ProofKernels::flush()
{
    KL_TRY(KL_CUDA(CtxResetPersistingL2Cache));
    CUdeviceptr data = swept_.get();
    CUdeviceptr sink = tally_.get();
    const std::uint64_t count = sweptBytes_ / 16;
    return launch("klp_read", count, {&data, &count, &sink});
}

} // namespace kl::inline live
