// SPDX-License-Identifier: MIT
#include "profiler/live/work/built_work.h"

#include "core/base/timings.h"
#include "kernels/data/numbers.h"
#include "profiler/live/cuda/tensor_map.h"
#include "profiler/live/host/passes.h"
#include "profiler/live/ptx/opcodes.h"
#include "profiler/live/work/launch_config.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace kl {
namespace {

constexpr std::size_t kGuardBytes = 4096; // keeps the data aligned to every access width
constexpr unsigned char kGuardByte = 0xA5;
constexpr std::size_t kInputsKept = 256U << 20;

Error tooMuch(std::string message, std::string hint = {})
{
    return {ErrorCode::kernelFailed, std::move(message), std::move(hint), {}, "KL_DEVICE_LIMIT"};
}

Error badWork(std::string message)
{
    return {ErrorCode::badInput, std::move(message), {}, "work specification", {}};
}

std::int64_t product(const std::vector<std::int64_t>& sizes)
{
    std::int64_t all = 1;
    for (const std::int64_t size : sizes)
        all *= size;
    return all;
}

Status checkGeometry(const LaunchSpec& launch, const DeviceInfo& device)
{
    const auto positive = [](const std::vector<std::int64_t>& sizes) {
        return !sizes.empty() && sizes.size() <= 3 && std::all_of(sizes.begin(), sizes.end(), [](std::int64_t s) { return s > 0; });
    };
    if (launch.entry.starts_with(kProofPrefix) || launch.entry == kGateName)
        return badWork(fmt::format("A kernel cannot be named {}: names that begin with {} are reserved.", launch.entry, kProofPrefix));
    if (!positive(launch.grid) || !positive(launch.block))
        return badWork(fmt::format("Launch of {}: grid and block need one to three positive sizes.", launch.entry));
    if (product(launch.block) > 1024)
        return tooMuch(fmt::format("{} requests {} threads per block; the device allows 1024.", launch.entry, product(launch.block)));
    if (launch.dynamicSmem > device.smemPerBlockOptin)
        return tooMuch(fmt::format("{} requests {} bytes of shared memory per block; the device allows {}.", launch.entry,
                                   launch.dynamicSmem, device.smemPerBlockOptin),
                       "Choose a smaller tile or fewer stages.");
    if (launch.grid[0] > 0x7fffffff || (launch.grid.size() > 1 && launch.grid[1] > 65535) ||
        (launch.grid.size() > 2 && launch.grid[2] > 65535))
        return tooMuch(fmt::format("{}: the grid is larger than the device allows (2147483647 × 65535 × 65535).", launch.entry));
    return {};
}

/// The worker's, whose one GPU thread builds all works.
InputCache& inputs()
{
    static InputCache cache(kInputsKept);
    return cache;
}

struct Entry {
    CUfunction function = nullptr;
    LaunchFacts facts;
};

/// Looks an entry up, opts in to its shared memory and describes it.
Result<Entry> resolve(CUmodule module, const LaunchSpec& spec, const CompiledSource& compiled, const DeviceInfo& device)
{
    Entry entry;
    if (cuda().ModuleGetFunction(&entry.function, module, spec.entry.c_str()) != CUDA_SUCCESS)
        return Error{ErrorCode::kernelFailed, fmt::format("The source has no kernel named {}.", spec.entry),
                     "Declare it extern \"C\" __global__.", spec.entry, kCompileFailure};
    LaunchFacts& facts = entry.facts;
    facts.entry = spec.entry;
    facts.gridBlocks = product(spec.grid);
    facts.blockThreads = static_cast<int>(product(spec.block));
    facts.dynamicSmem = spec.dynamicSmem;
    if (spec.dynamicSmem > 0 && // beyond 48 KiB a kernel must opt in
        cuda().FuncSetAttribute(entry.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(spec.dynamicSmem)) !=
            CUDA_SUCCESS)
        return tooMuch(fmt::format("{} cannot have {} bytes of dynamic shared memory in addition to its static shared memory.", spec.entry,
                                   spec.dynamicSmem));
    KL_TRY(describeLaunch(entry.function, device, facts));
    if (facts.blocksPerSm == 0)
        return tooMuch(fmt::format("{} does not fit on an SM: {} registers per thread, {} threads per block, {} bytes of shared memory.",
                                   spec.entry, facts.registers, facts.blockThreads, facts.staticSmem + facts.dynamicSmem));
    KL_TRY(prepareShape(entry.function, spec, device, facts));
    facts.opcodes = opcodeMix(compiled.ptx, spec.entry);
    return entry;
}

} // namespace

std::optional<ResultStatus> statusOf(const Error& error)
{
    if (error.detail == kCompileFailure)
        return ResultStatus::compilationFailed;
    if (isDeviceLimit(error))
        return ResultStatus::deviceLimitsExceeded;
    if (error.detail == kRefuted)
        return ResultStatus::validationFailed;
    if (error.code == ErrorCode::kernelFailed)
        return ResultStatus::computationFailed;
    return {};
}

CUdeviceptr BuiltWork::Buffer::data() const
{
    return memory->get() + guard;
}

Result<std::unique_ptr<BuiltWork>> BuiltWork::build(const WorkSpec& spec, const CompiledSource& compiled, const DeviceInfo& device,
                                                    CUstream stream, const BuildPlace& place)
{
    std::unique_ptr<BuiltWork> work(new BuiltWork(spec, stream, place.state));
    for (const LaunchSpec& launch : spec.launches)
        KL_TRY(checkGeometry(launch, device));
    if (place.moduleOf) {
        work->module_ = place.moduleOf->module_;
    } else {
        Result<Module> module = loadModule(compiled.cubin.data());
        if (!module)
            return module.error();
        work->module_ = std::make_shared<const Module>(std::move(*module));
    }
    KL_TRY(work->allocateBuffers(place));
    KL_TRY(work->prepareLaunches(compiled, device));
    KL_TRY(work->reset());
    if (spec.graph)
        KL_TRY(work->captureGraph());
    return work;
}

Result<std::vector<LaunchFacts>> describeLaunches(const WorkSpec& spec, const CompiledSource& compiled, const DeviceInfo& device)
{
    Result<Module> module = loadModule(compiled.cubin.data());
    if (!module)
        return module.error();
    std::vector<LaunchFacts> facts;
    for (const LaunchSpec& launch : spec.launches) {
        KL_TRY(checkGeometry(launch, device));
        Result<Entry> entry = resolve(module->get(), launch, compiled, device);
        if (!entry)
            return entry.error();
        facts.push_back(std::move(entry->facts));
    }
    return facts;
}

Status BuiltWork::allocateBuffers(const BuildPlace& place)
{
    for (const BufferSpec& spec : spec_.buffers) {
        if (spec.count <= 0)
            return badWork(fmt::format("Buffer {} has {} elements.", spec.name, spec.count));
        Buffer buffer;
        buffer.spec = spec;
        buffer.bytes = static_cast<std::size_t>(spec.count) * static_cast<std::size_t>(sizeOf(spec.type));
        buffer.guard = state_ == BufferState::guarded ? kGuardBytes : 0;
        buffer.memory = place.memoryOf ? place.memoryOf->memoryLike(spec) : nullptr;
        if (!buffer.memory) {
            Result<DeviceMemory> memory = allocate(buffer.bytes + 2 * buffer.guard);
            if (!memory)
                return memory.error();
            buffer.memory = std::make_shared<const DeviceMemory>(std::move(*memory));
        }
        if (spec.role == BufferRole::input && place.fillInputs)
            buffer.content = inputs().content(spec, spec_.seed, buffers_.size());
        memoryBytes_ += static_cast<std::int64_t>(buffer.bytes);
        buffers_.push_back(std::move(buffer));
    }
    return {};
}

Status BuiltWork::prepareLaunches(const CompiledSource& compiled, const DeviceInfo& device)
{
    if (spec_.launches.empty())
        return badWork("The work specification has no launch.");
    for (const LaunchSpec& spec : spec_.launches)
        KL_TRY(prepareLaunch(spec, compiled, device));
    return {};
}

Status BuiltWork::prepareLaunch(const LaunchSpec& spec, const CompiledSource& compiled, const DeviceInfo& device)
{
    Result<Entry> entry = resolve(module_->get(), spec, compiled, device);
    if (!entry)
        return entry.error();
    Launch launch;
    launch.function = entry->function;
    KL_TRY(bindArguments(spec, launch));
    facts_.push_back(std::move(entry->facts));
    launches_.push_back(std::move(launch));
    for (int i = 0; i < std::max(spec.repeat, 1); ++i)
        order_.push_back(launches_.size() - 1);
    return {};
}

Status BuiltWork::bindArguments(const LaunchSpec& spec, Launch& launch) const
{
    launch.values.assign(spec.args.size(), 0);
    launch.maps.reserve(spec.args.size()); // pointers go into it
    for (std::size_t i = 0; i < spec.args.size(); ++i) {
        const ArgSpec& arg = spec.args[i];
        const auto put = [&](auto value) { std::memcpy(&launch.values[i], &value, sizeof value); };
        if (!arg.buffer.empty()) {
            const Buffer* buffer = find(arg.buffer);
            if (!buffer)
                return badWork(fmt::format("Launch of {}: there is no buffer {}.", spec.entry, arg.buffer));
            if (arg.map) {
                const Result<CUtensorMap> map = encodeTensorMap(*arg.map, buffer->spec.type, buffer->data(), arg.buffer);
                if (!map)
                    return map.error();
                launch.maps.push_back(*map);
                launch.pointers.push_back(&launch.maps.back());
                continue;
            }
            put(buffer->data());
        } else {
            switch (arg.scalarType.value_or(DType::i32)) {
            case DType::f16: put(toHalf(static_cast<float>(arg.value))); break;
            case DType::bf16: put(toBfloat(static_cast<float>(arg.value))); break;
            case DType::f32: put(static_cast<float>(arg.value)); break;
            case DType::f64: put(arg.value); break;
            case DType::i32: put(static_cast<std::int32_t>(arg.value)); break;
            case DType::u32: put(static_cast<std::uint32_t>(arg.value)); break;
            case DType::i64: put(static_cast<std::int64_t>(arg.value)); break;
            case DType::u64: put(static_cast<std::uint64_t>(arg.value)); break;
            default: return badWork(fmt::format("Launch of {}: argument {} has no scalar type.", spec.entry, i));
            }
        }
        launch.pointers.push_back(&launch.values[i]); // moving the vector keeps its storage, so the pointers stay good
    }
    return {};
}

Status BuiltWork::reset()
{
    const Timed time("buffers: fill");
    for (Buffer& buffer : buffers_) {
        const bool zeros = buffer.spec.fill == Fill::zeros;
        if (state_ == BufferState::guarded) {
            KL_TRY(KL_CUDA(MemsetD8Async, buffer.memory->get(), kGuardByte, kGuardBytes, stream_));
            KL_TRY(KL_CUDA(MemsetD8Async, buffer.data() + buffer.bytes, kGuardByte, kGuardBytes, stream_));
        }
        if (buffer.spec.role == BufferRole::input || (state_ == BufferState::bare && !zeros))
            continue;
        const std::uint32_t poison = zeros ? 0U : poisonWord(buffer.spec.type);
        if (sizeOf(buffer.spec.type) == 1)
            KL_TRY(KL_CUDA(MemsetD8Async, buffer.data(), static_cast<unsigned char>(poison), buffer.bytes, stream_));
        else if (sizeOf(buffer.spec.type) == 2)
            KL_TRY(KL_CUDA(MemsetD16Async, buffer.data(), static_cast<unsigned short>(poison), buffer.bytes / 2, stream_));
        else
            KL_TRY(KL_CUDA(MemsetD32Async, buffer.data(), poison, buffer.bytes / 4, stream_));
    }
    // In the stream: a plain copy of pageable memory may return before its last part has arrived, and the stream does not wait for it.
    for (Buffer& buffer : buffers_)
        if (buffer.content)
            KL_TRY(KL_CUDA(MemcpyHtoDAsync, buffer.data(), buffer.content->data(), buffer.bytes, stream_));
    return KL_CUDA(StreamSynchronize, stream_);
}

Status BuiltWork::launch(std::size_t index, const std::vector<std::int64_t>& grid, std::int64_t dynamicSmem, bool follows)
{
    const LaunchSpec& spec = spec_.launches[index];
    Launch& launch = launches_[index];
    untouched_ = false;
    const LaunchConfig config(spec, grid, dynamicSmem, stream_, follows);
    return checkCuda(cuda().LaunchKernelEx(&config.get(), launch.function, launch.pointers.data(), nullptr), "cuLaunchKernelEx");
}

Status BuiltWork::issueLaunch(std::size_t index)
{
    return launch(index, spec_.launches[index].grid, spec_.launches[index].dynamicSmem);
}

Status BuiltWork::shape(std::size_t index, std::int64_t dynamicSmem, bool mostShared)
{
    const CUfunction function = launches_[index].function;
    KL_TRY(KL_CUDA(FuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(dynamicSmem)));
    return KL_CUDA(FuncSetAttribute, function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                   mostShared ? CU_SHAREDMEM_CARVEOUT_MAX_SHARED : CU_SHAREDMEM_CARVEOUT_DEFAULT);
}

Status BuiltWork::issueShaped(std::size_t index, const LaunchShape& wanted)
{
    KL_TRY(shape(index, wanted.dynamicSmem, wanted.mostShared));
    return launch(index, wanted.grid, wanted.dynamicSmem);
}

Status BuiltWork::restoreShape(std::size_t index)
{
    return shape(index, spec_.launches[index].dynamicSmem, false);
}

Status BuiltWork::issueSequence()
{
    bool follows = false;
    for (const std::size_t index : order_) {
        KL_TRY(launch(index, spec_.launches[index].grid, spec_.launches[index].dynamicSmem, follows));
        follows = true;
    }
    return {};
}

Status BuiltWork::issue()
{
    untouched_ = false;
    if (graph_)
        return KL_CUDA(GraphLaunch, graph_.get(), stream_);
    return issueSequence();
}

Status BuiltWork::issueEachOnce()
{
    for (std::size_t index = 0; index < launches_.size(); ++index)
        KL_TRY(issueLaunch(index));
    return {};
}

std::vector<MemorySpan> BuiltWork::memory() const
{
    std::vector<MemorySpan> spans;
    for (const Buffer& buffer : buffers_)
        spans.emplace_back(buffer.data(), buffer.bytes);
    return spans;
}

Status BuiltWork::captureGraph()
{
    KL_TRY(KL_CUDA(StreamBeginCapture, stream_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    const Status issued = issueSequence();
    CUgraph captured = nullptr;
    const Status ended = KL_CUDA(StreamEndCapture, stream_, &captured); // also after a failed launch: else the stream stays in capture
    const Graph graph(captured);
    untouched_ = true; // captured, not run
    if (!issued)
        return issued.error();
    if (!ended)
        return ended.error();
    CUgraphExec executable = nullptr;
    KL_TRY(KL_CUDA(GraphInstantiateWithFlags, &executable, graph.get(), 0));
    graph_ = GraphExec(executable);
    return {};
}

std::shared_ptr<const DeviceMemory> BuiltWork::memoryLike(const BufferSpec& spec) const
{
    const Buffer* buffer = find(spec.name);
    return buffer && buffer->spec == spec ? buffer->memory : nullptr;
}

const BuiltWork::Buffer* BuiltWork::find(const std::string& name) const
{
    for (const Buffer& buffer : buffers_)
        if (buffer.spec.name == name)
            return &buffer;
    return nullptr;
}

Result<std::vector<std::byte>> BuiltWork::read(const std::string& name)
{
    const Buffer* buffer = find(name);
    if (!buffer)
        return badWork(fmt::format("There is no buffer {}.", name));
    std::vector<std::byte> data(buffer->bytes);
    KL_TRY(KL_CUDA(MemcpyDtoH, data.data(), buffer->data(), buffer->bytes));
    return data;
}

Status BuiltWork::adoptInputs()
{
    for (Buffer& buffer : buffers_) {
        if (buffer.spec.role != BufferRole::input || buffer.content)
            continue;
        Result<std::vector<std::byte>> held = read(buffer.spec.name);
        if (!held)
            return held.error();
        buffer.content = std::make_shared<const std::vector<std::byte>>(std::move(*held));
    }
    return {};
}

const std::vector<std::byte>* BuiltWork::initial(const std::string& name) const
{
    const Buffer* buffer = find(name);
    return buffer ? buffer->content.get() : nullptr;
}

Result<std::optional<std::string>> BuiltWork::guardViolation()
{
    std::vector<unsigned char> guard(kGuardBytes);
    const auto broken = [&] { return std::any_of(guard.begin(), guard.end(), [](unsigned char byte) { return byte != kGuardByte; }); };
    for (const Buffer& buffer : buffers_) {
        KL_TRY(KL_CUDA(MemcpyDtoH, guard.data(), buffer.memory->get(), kGuardBytes));
        if (broken())
            return std::optional<std::string>(fmt::format("The kernel wrote before the start of buffer {}.", buffer.spec.name));
        KL_TRY(KL_CUDA(MemcpyDtoH, guard.data(), buffer.data() + buffer.bytes, kGuardBytes));
        if (broken())
            return std::optional<std::string>(fmt::format("The kernel wrote past the end of buffer {}.", buffer.spec.name));
    }
    return std::optional<std::string>{};
}

} // namespace kl
