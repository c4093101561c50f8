// SPDX-License-Identifier: MIT
#include "profiler/live/work/launch_arguments.h"

#include "core/base/try.h"
#include "kernels/data/base64.h"
#include "kernels/data/numbers.h"
#include "profiler/live/work/work_errors.h"

#include <cstring>
#include <fmt/format.h>

namespace kl::inline live {

void** LaunchArguments::packedParameters()
{
    if (packed.empty())
        return nullptr;
    packedBytes = packed.size();
    extra = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &packedBytes, CU_LAUNCH_PARAM_END};
    return extra.data();
}

Result<LaunchArguments> bindArguments(const LaunchSpec& spec, const WorkBuffers& buffers)
{
    LaunchArguments bound;
    if (spec.parameters) {
        std::optional<std::string> bytes = fromBase64(*spec.parameters);
        if (!bytes || bytes->empty() || !spec.args.empty())
            return badWork(fmt::format("Launch of {}: its parameters are damaged.", spec.entry));
        bound.packed = std::move(*bytes);
        return bound;
    }
    bound.values.assign(spec.args.size(), 0);
    bound.maps.reserve(spec.args.size()); // pointers go into it
    for (std::size_t i = 0; i < spec.args.size(); ++i) {
        const ArgSpec& arg = spec.args[i];
        const auto put = [&](auto value) { std::memcpy(&bound.values[i], &value, sizeof value); };
        if (!arg.buffer.empty()) {
            const WorkBuffer* buffer = buffers.find(arg.buffer);
            if (!buffer)
                return badWork(fmt::format("Launch of {}: there is no buffer {}.", spec.entry, arg.buffer));
            if (arg.map) {
                KL_ASSIGN(const CUtensorMap map, encodeTensorMap(*arg.map, buffer->spec.type, buffer->data(), arg.buffer));
                bound.maps.push_back(map);
                bound.pointers.push_back(&bound.maps.back());
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
        bound.pointers.push_back(&bound.values[i]); // moving the vector keeps its storage, so the pointers stay good
    }
    return bound;
}

} // namespace kl::inline live
