// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/live/baselines/cudnn_functions.h"

#include <array>
#include <initializer_list>
#include <vector>

namespace kl::inline live::cudnn {

/// The error of a failed call: its name, cuDNN's text for the status, its last message. Error environment.
Error makeCudnnError(const Functions& functions, const char* call, int status);

/// Owned backend descriptors of one operation graph. The first call that fails is kept and makes every later one do nothing, so that a
/// graph is written as a list; status() returns the first error. One thread.
class Graph {
public:
    using Dims = std::array<std::int64_t, 4>;

    explicit Graph(const Functions& functions) : functions_(&functions) {}
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph();

    /// A tensor in device memory; run() takes its address by this id.
    Descriptor tensor(std::int64_t id, DataType type, const Dims& dims, const Dims& strides);
    /// A scalar tensor that run() takes from the host.
    Descriptor scalar(std::int64_t id, DataType type);
    /// A row-major tensor between two operations, never in memory.
    Descriptor between(DataType type, const Dims& dims);

    void matmul(Descriptor a, Descriptor b, Descriptor c);
    /// y = x, y = x OP b, or y = t ? x : b. `axis`: only for generateIndex.
    void pointwise(PointwiseMode mode, DataType compute, std::initializer_list<Descriptor> inputs, Descriptor y, std::int64_t axis = -1);
    /// Over the axes where y has one element.
    void reduction(ReductionOperator op, Descriptor x, Descriptor y);

    /// Builds the graph of all operations so far and the first execution plan by cuDNN's heuristics.
    void plan(Handle handle);

    /// Bytes of device memory that a run needs in addition to its tensors; 0 before plan().
    std::int64_t workspaceBytes() const noexcept { return workspaceBytes_; }

    /// Binds ids to device addresses, and to host addresses of scalars, which must stay valid. Once, after plan().
    void bind(const std::vector<std::int64_t>& ids, const std::vector<void*>& addresses, void* workspace);

    /// Queues one execution on the handle's stream.
    Status run(Handle handle);

    /// Success, or the error of the first failed call.
    const Status& status() const noexcept { return status_; }

private:
    Descriptor make(DescriptorType type);
    Descriptor makeTensor(std::int64_t id, DataType type, const Dims& dims, const Dims& strides);
    void set(Descriptor descriptor, Attribute name, AttributeType type, std::int64_t count, const void* values);
    template <class T> void set(Descriptor descriptor, Attribute name, AttributeType type, const T& value)
    {
        set(descriptor, name, type, 1, &value);
    }
    void finalize(Descriptor descriptor);
    bool check(int status, const char* call);
    std::vector<Descriptor> configs(Descriptor graph, HeuristicMode mode);
    bool finalizePlan(Handle handle, Descriptor config);

    const Functions* functions_;
    std::vector<Descriptor> owned_;
    std::vector<Descriptor> operations_;
    Descriptor plan_ = nullptr;
    Descriptor pack_ = nullptr;
    std::int64_t workspaceBytes_ = 0;
    std::int64_t nextVirtual_ = 1000; ///< ids of tensors between operations; those of real ones are smaller
    Status status_;
};

} // namespace kl::inline live::cudnn
