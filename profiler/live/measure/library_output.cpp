// SPDX-License-Identifier: MIT
#include "profiler/live/measure/library_output.h"

#include "profiler/live/measure/correctness.h"
#include "profiler/live/python/python_baseline.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

const BufferSpec* findComparedOutput(const WorkSpec& spec)
{
    for (const BufferSpec& buffer : spec.buffers)
        if (buffer.name == spec.reference.output)
            return &buffer;
    return nullptr;
}

} // namespace

double libraryLimit(double peer, double largest, bool bf16) noexcept
{
    const int fraction = bf16 ? 7 : 10; // bits behind the leading one
    const double unit = largest > 0 ? std::ldexp(1.0, std::ilogb(largest) - fraction) : 0;
    return 2 * peer + unit / 2;
}

bool hasLibraryPeer(const BuiltWork& work)
{
    const BaselineSpec& baseline = work.spec().baseline;
    return baseline.kind == "python" && baseline.op == "sdpa" && findComparedOutput(work.spec()) != nullptr;
}

std::optional<std::vector<std::byte>> libraryOutput(GpuSession& session, const BuiltWork& work, const std::string& op)
{
    const WorkSpec& spec = work.spec();
    const BufferSpec* output = findComparedOutput(spec);
    const Result<PythonBaseline*> helper = session.python();
    std::vector<const std::vector<std::byte>*> inputs;
    for (const std::string& name : spec.reference.inputs)
        inputs.push_back(work.initial(name));
    if (!helper || output == nullptr || std::find(inputs.begin(), inputs.end(), nullptr) != inputs.end())
        return std::nullopt;
    const std::size_t bytes = static_cast<std::size_t>(output->count) * static_cast<std::size_t>(countBytes(output->type));
    Result<std::vector<std::byte>> computed = (*helper)->output(op, spec.baseline.params, inputs, bytes);
    return computed ? std::optional(std::move(*computed)) : std::nullopt;
}

void holdAgainstLibrary(GpuSession& session, const BuiltWork& work, const Expected& expected, SuiteRow& row)
{
    const std::optional<std::vector<std::byte>> peer = libraryOutput(session, work, "sdpa-own");
    if (!peer)
        return;
    const BufferSpec& output = *findComparedOutput(work.spec());
    const SuiteRow other = compareOutput(*peer, output.type, expected, work.spec().tolerance);
    if (other.nonfinite > 0)
        return; // an error that is not a number limits nothing
    row.peerMaxAbs = other.maxAbs;
    double largest = 0;
    for (const double value : expected.values)
        largest = std::max(largest, std::abs(value));
    const double limit = libraryLimit(other.maxAbs, largest, output.type == DType::bf16);
    if (row.pass && !(row.maxAbs <= limit)) {
        row.pass = false;
        row.reason = fmt::format("The largest error is {:.3g}, above {:.3g}, the limit from twice the error of PyTorch's 16-bit kernel "
                                 "({:.3g}) and the rounding of the result.",
                                 row.maxAbs, limit, other.maxAbs);
    }
}

} // namespace kl::inline live
