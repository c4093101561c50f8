// SPDX-License-Identifier: MIT
#include "profiler/live/work/correctness.h"

#include "kernels/data/numbers.h"

#include <cmath>
#include <fmt/format.h>

namespace kl {
namespace {

const BufferSpec* outputOf(const WorkSpec& spec)
{
    for (const BufferSpec& buffer : spec.buffers)
        if (spec.reference.output.empty() ? buffer.role == BufferRole::output : buffer.name == spec.reference.output)
            return &buffer;
    return nullptr;
}

void judge(SuiteRow& row, const Tolerance& tolerance)
{
    if (row.unwritten > 0)
        row.reason = fmt::format("{} output elements were never written.", row.unwritten);
    else if (row.nonfinite > 0)
        row.reason = fmt::format("{} output elements are NaN or infinite.", row.nonfinite);
    else if (!(row.maxAbs <= tolerance.maxAbs))
        row.reason = fmt::format("The largest error is {:.3g}, above {:.3g}.", row.maxAbs, tolerance.maxAbs);
    else if (!(row.relL2 <= tolerance.relL2))
        row.reason = fmt::format("The relative L2 error is {:.3g}, above {:.3g}.", row.relL2, tolerance.relL2);
    row.pass = row.reason.empty();
}

Result<Expected> expectedOf(BuiltWork& work)
{
    const WorkSpec& spec = work.spec();
    std::vector<std::vector<double>> inputs;
    for (const std::string& name : spec.reference.inputs) {
        const std::vector<std::byte>* content = work.initial(name);
        DType type = DType::f32;
        for (const BufferSpec& buffer : spec.buffers)
            if (buffer.name == name)
                type = buffer.type;
        if (!content)
            return Error{ErrorCode::badInput, fmt::format("The reference's input {} is not an input buffer.", name), {}, spec.kernel, {}};
        inputs.push_back(toDoubles(content->data(), type, content->size() / static_cast<std::size_t>(sizeOf(type))));
    }
    return evaluateReference(spec.reference, inputs, spec.seed);
}

} // namespace

SuiteRow compareOutput(const std::vector<std::byte>& output, DType type, const Expected& expected, const Tolerance& tolerance)
{
    SuiteRow row;
    const std::size_t count = output.size() / static_cast<std::size_t>(sizeOf(type));
    for (std::size_t i = 0; i < count; ++i) {
        if (isPoison(output.data(), type, i))
            ++row.unwritten;
        else if (!std::isfinite(elementAt(output.data(), type, i)))
            ++row.nonfinite;
    }
    double errorSquares = 0;
    double squares = 0;
    for (std::size_t k = 0; k < expected.values.size(); ++k) {
        const std::size_t index = expected.indices.empty() ? k : static_cast<std::size_t>(expected.indices[k]);
        if (index >= count) {
            row.reason = fmt::format("The reference has an element {}, the output only {}.", index, count);
            return row;
        }
        const double got = elementAt(output.data(), type, index);
        const double want = expected.values[k];
        if (!std::isfinite(got)) // counted above
            continue;
        const double error = std::abs(got - want);
        row.maxAbs = std::max(row.maxAbs, error);
        errorSquares += error * error;
        squares += want * want;
    }
    row.relL2 = squares > 0 ? std::sqrt(errorSquares / squares) : std::sqrt(errorSquares);
    judge(row, tolerance);
    return row;
}

Result<SuiteRow> checkWork(BuiltWork& work, CUstream stream)
{
    const WorkSpec& spec = work.spec();
    KL_TRY(work.reset());
    KL_TRY(work.issue());
    KL_TRY(waitFor(stream, kHangSeconds));

    SuiteRow row;
    row.pass = true;
    if (const BufferSpec* output = outputOf(spec)) {
        const Result<std::vector<std::byte>> data = work.read(output->name);
        if (!data)
            return data.error();
        Expected expected;
        if (!spec.reference.function.empty()) {
            Result<Expected> evaluated = expectedOf(work);
            if (!evaluated)
                return evaluated.error();
            expected = std::move(*evaluated);
        }
        row = compareOutput(*data, output->type, expected, spec.tolerance);
    }
    row.problem = spec.problem;
    const Result<std::optional<std::string>> broken = work.guardViolation();
    if (!broken)
        return broken.error();
    if (*broken) {
        row.pass = false;
        row.reason = **broken;
    }
    return row;
}

} // namespace kl
