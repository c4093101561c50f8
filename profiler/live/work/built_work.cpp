// SPDX-License-Identifier: MIT
#include "profiler/live/work/built_work.h"

#include "core/base/timings.h"
#include "core/base/try.h"
#include "kernels/data/base64.h"
#include "profiler/live/ptx/opcodes.h"
#include "profiler/live/work/launch_config.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline live {

Result<std::unique_ptr<BuiltWork>> BuiltWork::build(const WorkSpec& spec, const CompiledSource& compiled, const DeviceInfo& device,
                                                    CUstream stream, const BuildPlace& place)
{
    std::unique_ptr<BuiltWork> work(new BuiltWork(spec, stream, place.state));
    for (const LaunchSpec& launch : spec.launches)
        KL_TRY(checkGeometry(launch, device));
    KL_TRY(work->buffers_.place(spec));
    if (place.moduleOf) {
        work->module_ = place.moduleOf->module_;
    } else {
        const Timed time("code: load");
        KL_ASSIGN(Module module, loadModule(compiled.cubin.data()));
        work->module_ = std::make_shared<const Module>(std::move(module));
        KL_TRY(work->setVariables());
    }
    KL_TRY(work->buffers_.allocate(spec, place.memoryOf ? &place.memoryOf->buffers_ : nullptr, place.fillInputs));
    KL_TRY(work->prepareLaunches(device));
    if (place.opcodes)
        for (LaunchFacts& facts : work->facts_)
            facts.opcodes = opcodeMix(compiled.ptx, facts.entry);
    KL_TRY(work->reset());
    if (spec.graph)
        KL_TRY(work->captureGraph());
    return work;
}

/// As the program had set them before its launch.
Status BuiltWork::setVariables()
{
    for (const auto& [name, base64] : spec_.variables.value_or(std::map<std::string, std::string>())) {
        const std::optional<std::string> bytes = fromBase64(base64);
        CUdeviceptr data = 0;
        std::size_t size = 0;
        if (!bytes || cuda().ModuleGetGlobal(&data, &size, module_->get(), name.c_str()) != CUDA_SUCCESS || size != bytes->size())
            return badWork(fmt::format("The code has no variable {} of {} bytes.", name, bytes ? bytes->size() : 0));
        KL_TRY(KL_CUDA(MemcpyHtoDAsync, data, bytes->data(), size, stream_));
        KL_TRY(KL_CUDA(StreamSynchronize, stream_));
    }
    return {};
}

Status BuiltWork::prepareLaunches(const DeviceInfo& device)
{
    if (spec_.launches.empty())
        return badWork("The work specification has no launch.");
    for (const LaunchSpec& spec : spec_.launches)
        KL_TRY(prepareLaunch(spec, device));
    return {};
}

Status BuiltWork::prepareLaunch(const LaunchSpec& spec, const DeviceInfo& device)
{
    KL_ASSIGN(LaunchEntry entry, resolveEntry(module_->get(), spec, device));
    KL_ASSIGN(LaunchArguments arguments, bindArguments(spec, buffers_));
    facts_.push_back(std::move(entry.facts));
    launches_.push_back({entry.function, std::move(arguments)});
    for (int i = 0; i < std::max(spec.repeat, 1); ++i)
        order_.push_back(launches_.size() - 1);
    return {};
}

Status BuiltWork::launch(std::size_t index, const std::vector<std::int64_t>& grid, std::int64_t dynamicSmem, bool follows)
{
    const LaunchSpec& spec = spec_.launches[index];
    Launch& launch = launches_[index];
    untouched_ = false;
    const LaunchConfig config(spec, grid, dynamicSmem, stream_, follows);
    return checkCuda(
        cuda().LaunchKernelEx(&config.get(), launch.function, launch.arguments.parameters(), launch.arguments.packedParameters()),
        "cuLaunchKernelEx");
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

Status BuiltWork::issueWith(std::size_t index, const LaunchSettings& wanted)
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

Status BuiltWork::captureGraph()
{
    KL_TRY(KL_CUDA(StreamBeginCapture, stream_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    const Status issued = issueSequence();
    CUgraph captured = nullptr;
    const Status ended = KL_CUDA(StreamEndCapture, stream_, &captured); // also after a failed launch: else the stream stays in capture
    const Graph graph(captured);
    untouched_ = true; // captured, not run
    KL_TRY(issued);
    KL_TRY(ended);
    CUgraphExec executable = nullptr;
    KL_TRY(KL_CUDA(GraphInstantiateWithFlags, &executable, graph.get(), 0));
    graph_ = GraphExec(executable);
    return {};
}

const std::vector<std::byte>* BuiltWork::initial(const std::string& name) const
{
    const WorkBuffer* buffer = buffers_.find(name);
    return buffer ? buffer->content.get() : nullptr;
}

} // namespace kl::inline live
