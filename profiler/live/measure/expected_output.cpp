// SPDX-License-Identifier: MIT
#include "profiler/live/measure/expected_output.h"

#include "core/base/try.h"
#include "kernels/data/numbers.h"
#include "profiler/live/measure/correctness.h"
#include "profiler/live/python/script_reference.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

struct InputBytes {
    const BufferSpec* spec = nullptr;
    const std::vector<std::byte>* bytes = nullptr;
};

Result<std::vector<InputBytes>> collectInputs(const BuiltWork& work)
{
    std::vector<InputBytes> inputs;
    for (const std::string& name : work.spec().reference.inputs) {
        InputBytes input;
        for (const BufferSpec& buffer : work.spec().buffers)
            if (buffer.name == name)
                input.spec = &buffer;
        input.bytes = work.initial(name);
        if (!input.spec || !input.bytes)
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("The reference's input {} is not an input buffer.", name),
                         .where = work.spec().kernel};
        inputs.push_back(input);
    }
    return inputs;
}

Result<Expected> fromHost(const BuiltWork& work)
{
    KL_ASSIGN(const std::vector<InputBytes> inputs, collectInputs(work));
    std::vector<std::vector<double>> values;
    for (const InputBytes& input : inputs)
        values.push_back(toDoubles(input.bytes->data(), input.spec->type, static_cast<std::size_t>(input.spec->count)));
    return evaluateReference(work.spec().reference, values, work.spec().seed);
}

Result<Expected> fromScript(const BuiltWork& work, const BufferSpec& output)
{
    KL_ASSIGN(const std::vector<InputBytes> inputs, collectInputs(work));
    std::vector<NamedArray> arrays;
    for (const InputBytes& input : inputs)
        arrays.push_back({input.spec->name, input.spec->type, input.bytes});
    return runReferenceScript(work.spec().reference, arrays, output.count);
}

/// Whether its inputs are generated on the host; else they are on the device alone, and their owner has put them there.
bool isGenerated(const BuiltWork& work)
{
    return std::ranges::all_of(work.spec().buffers, [&](const BufferSpec& buffer) {
        return buffer.role != BufferRole::input || work.initial(buffer.name) != nullptr;
    });
}

/// The same buffers, filled alike, with the reference's code.
Result<Expected> fromKernel(GpuSession& session, const BuiltWork& work, const BufferSpec& output)
{
    const WorkSpec& spec = work.spec();
    const CodeSpec& code = *spec.reference.kernel;
    const auto blame = [&](Error error) {
        error.message = fmt::format("The reference kernel {} cannot be used: {}", code.kernel, error.message);
        return error;
    };
    WorkSpec other = spec;
    other.kernel = code.kernel;
    other.source = code.source;
    other.headers = code.headers;
    other.image = code.image;
    other.options = code.options;
    other.targets = code.targets;
    other.launches = code.launches;
    other.graph = false;
    other.reference = {};
    const BuildPlace place = isGenerated(work) ? BuildPlace{} : BuildPlace{.memoryOf = &work, .fillInputs = false};
    const Result<std::unique_ptr<BuiltWork>> built = session.build(other, place);
    if (!built)
        return blame(built.error());
    Status done = (*built)->issue();
    if (done)
        done = waitFor(session.bench().stream(), kHangSeconds);
    if (!done)
        return blame(done.error());
    const Result<std::vector<std::byte>> data = (*built)->read(output.name);
    if (!data)
        return blame(data.error());
    for (std::int64_t i = 0; i < output.count; ++i)
        if (isTellingPoison(output.type) && isPoison(data->data(), output.type, static_cast<std::size_t>(i)))
            return blame({.code = ErrorCode::badInput,
                          .message = fmt::format("it left element {} of {} unwritten.", i, output.name),
                          .hint = "Choose another reference in the kernel's descriptor.",
                          .where = code.kernel});
    return Expected{{}, toDoubles(data->data(), output.type, static_cast<std::size_t>(output.count))};
}

} // namespace

Result<Expected> computeExpectedOutput(GpuSession& session, const BuiltWork& work, const BufferSpec& output)
{
    const ReferenceSpec& reference = work.spec().reference;
    if (!hasReference(reference))
        return Expected{};
    if (reference.kernel)
        return fromKernel(session, work, output);
    if (reference.script)
        return fromScript(work, output);
    return fromHost(work);
}

} // namespace kl::inline live
