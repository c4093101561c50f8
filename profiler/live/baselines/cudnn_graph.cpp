// SPDX-License-Identifier: MIT
#include "profiler/live/baselines/cudnn_graph.h"

#include <fmt/format.h>

namespace kl::inline live::cudnn {

Error makeCudnnError(const Functions& functions, const char* call, int status)
{
    std::array<char, 512> text{};
    functions.lastError(text.data(), text.size() - 1);
    const char* words = functions.errorString(status);
    return {.code = ErrorCode::environment,
            .message = fmt::format("cuDNN refused {}: {}.", call, words != nullptr ? words : fmt::format("status {}", status)),
            .where = "cuDNN",
            .detail = text.data()};
}

Graph::~Graph()
{
    for (auto last = owned_.rbegin(); last != owned_.rend(); ++last)
        functions_->destroyDescriptor(*last);
}

bool Graph::check(int status, const char* call)
{
    if (status != 0 && status_)
        status_ = makeCudnnError(*functions_, call, status);
    return status == 0;
}

Descriptor Graph::make(DescriptorType type)
{
    Descriptor made = nullptr;
    if (status_ && check(functions_->createDescriptor(type, &made), "a descriptor"))
        owned_.push_back(made);
    return made;
}

void Graph::set(Descriptor descriptor, Attribute name, AttributeType type, std::int64_t count, const void* values)
{
    if (status_)
        check(functions_->setAttribute(descriptor, name, type, count, values), fmt::format("attribute {}", static_cast<int>(name)).c_str());
}

void Graph::finalize(Descriptor descriptor)
{
    if (status_)
        check(functions_->finalize(descriptor), "an operation");
}

Descriptor Graph::makeTensor(std::int64_t id, DataType type, const Dims& dims, const Dims& strides)
{
    const Descriptor made = make(tensorDescriptor);
    set(made, tensorId, typeInt64, id);
    set(made, tensorDataType, typeDataType, type);
    set(made, tensorAlignment, typeInt64, std::int64_t{16});
    set(made, tensorDimensions, typeInt64, 4, dims.data());
    set(made, tensorStrides, typeInt64, 4, strides.data());
    return made;
}

Descriptor Graph::tensor(std::int64_t id, DataType type, const Dims& dims, const Dims& strides)
{
    const Descriptor made = makeTensor(id, type, dims, strides);
    finalize(made);
    return made;
}

Descriptor Graph::scalar(std::int64_t id, DataType type)
{
    const Descriptor made = makeTensor(id, type, {1, 1, 1, 1}, {1, 1, 1, 1});
    set(made, tensorIsByValue, typeBoolean, true);
    finalize(made);
    return made;
}

Descriptor Graph::between(DataType type, const Dims& dims)
{
    const Descriptor made = makeTensor(nextVirtual_++, type, dims, {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1});
    set(made, tensorIsVirtual, typeBoolean, true);
    finalize(made);
    return made;
}

void Graph::matmul(Descriptor a, Descriptor b, Descriptor c)
{
    const Descriptor kind = make(matmulDescriptor);
    set(kind, matmulComputeType, typeDataType, dataFloat);
    finalize(kind);
    const Descriptor operation = make(matmulOperation);
    set(operation, matmulOpDescriptor, typeDescriptor, kind);
    set(operation, matmulOpA, typeDescriptor, a);
    set(operation, matmulOpB, typeDescriptor, b);
    set(operation, matmulOpC, typeDescriptor, c);
    finalize(operation);
    operations_.push_back(operation);
}

void Graph::pointwise(PointwiseMode mode, DataType compute, std::initializer_list<Descriptor> inputs, Descriptor y, std::int64_t axis)
{
    constexpr std::array<Attribute, 3> kPlaces{pointwiseOpX, pointwiseOpB, pointwiseOpT};
    const Descriptor kind = make(pointwiseDescriptor);
    set(kind, pointwiseModeAttribute, typePointwiseMode, mode);
    set(kind, pointwisePrecision, typeDataType, compute);
    if (axis >= 0)
        set(kind, pointwiseAxis, typeInt64, axis);
    finalize(kind);
    const Descriptor operation = make(pointwiseOperation);
    set(operation, pointwiseOpDescriptor, typeDescriptor, kind);
    std::size_t place = 0;
    for (const Descriptor input : inputs)
        set(operation, kPlaces[place++], typeDescriptor, input);
    set(operation, pointwiseOpY, typeDescriptor, y);
    finalize(operation);
    operations_.push_back(operation);
}

void Graph::reduction(ReductionOperator op, Descriptor x, Descriptor y)
{
    const Descriptor kind = make(reductionDescriptor);
    set(kind, reductionOperator, typeReductionOperator, op);
    set(kind, reductionComputeType, typeDataType, dataFloat);
    finalize(kind);
    const Descriptor operation = make(reductionOperation);
    set(operation, reductionOpDescriptor, typeDescriptor, kind);
    set(operation, reductionOpX, typeDescriptor, x);
    set(operation, reductionOpY, typeDescriptor, y);
    finalize(operation);
    operations_.push_back(operation);
}

std::vector<Descriptor> Graph::configs(Descriptor graph, HeuristicMode mode)
{
    const Descriptor heuristic = make(engineHeuristicDescriptor);
    set(heuristic, heuristicGraph, typeDescriptor, graph);
    set(heuristic, heuristicMode, typeHeuristicMode, mode);
    std::int64_t count = 0;
    if (!status_ || functions_->finalize(heuristic) != 0 || // this heuristic has nothing for the graph: no failure yet
        functions_->getAttribute(heuristic, heuristicResults, typeDescriptor, 0, &count, nullptr) != 0)
        return {};
    std::vector<Descriptor> found;
    for (std::int64_t i = 0; i < count; ++i)
        found.push_back(make(engineConfigDescriptor));
    std::int64_t filled = 0;
    if (status_)
        check(functions_->getAttribute(heuristic, heuristicResults, typeDescriptor, count, &filled, found.data()), "its list of engines");
    found.resize(status_ ? static_cast<std::size_t>(filled) : 0);
    return found;
}

bool Graph::finalizePlan(Handle handle, Descriptor config)
{
    const Descriptor plan = make(executionPlanDescriptor);
    set(plan, planHandle, typeHandle, handle);
    set(plan, planEngineConfig, typeDescriptor, config);
    if (!status_ || functions_->finalize(plan) != 0) // an engine that cannot run this: the next one may
        return false;
    std::int64_t count = 0;
    plan_ = plan;
    return check(functions_->getAttribute(plan, planWorkspaceSize, typeInt64, 1, &count, &workspaceBytes_), "the size of its workspace");
}

void Graph::plan(Handle handle)
{
    const Descriptor graph = make(operationGraphDescriptor);
    set(graph, graphOperations, typeDescriptor, static_cast<std::int64_t>(operations_.size()), operations_.data());
    set(graph, graphHandle, typeHandle, handle);
    if (status_)
        check(functions_->finalize(graph), "the graph");
    for (const HeuristicMode mode : {heuristicA, heuristicFallback})
        for (const Descriptor config : configs(graph, mode))
            if (finalizePlan(handle, config))
                return;
    if (status_) {
        Error error = makeCudnnError(*functions_, "the problem", 3000); // CUDNN_STATUS_NOT_SUPPORTED
        error.message = "cuDNN has no engine for this problem.";
        status_ = std::move(error);
    }
}

void Graph::bind(const std::vector<std::int64_t>& ids, const std::vector<void*>& addresses, void* workspace)
{
    pack_ = make(variantPackDescriptor);
    set(pack_, packIds, typeInt64, static_cast<std::int64_t>(ids.size()), ids.data());
    set(pack_, packPointers, typeVoidPointer, static_cast<std::int64_t>(addresses.size()), addresses.data());
    set(pack_, packWorkspace, typeVoidPointer, workspace);
    finalize(pack_);
}

Status Graph::run(Handle handle)
{
    if (status_)
        check(functions_->execute(handle, plan_, pack_), "to run");
    return status_;
}

} // namespace kl::inline live::cudnn
