// SPDX-License-Identifier: MIT
#include "kernels/reference/sampling.h"

#include <cmath>
#include <fmt/format.h>
#include <random>

namespace kl::inline kernels {

std::vector<std::int64_t> sampleElements(std::int64_t count, std::int64_t most, std::uint64_t seed)
{
    std::vector<std::int64_t> places;
    if (count <= most) {
        for (std::int64_t i = 0; i < count; ++i)
            places.push_back(i);
        return places;
    }
    std::mt19937_64 random(seed);
    places.push_back(0);
    for (std::int64_t part = 1; part + 1 < most; ++part) {
        const std::int64_t begin = count * part / most;
        const std::int64_t size = count * (part + 1) / most - begin;
        places.push_back(begin + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size)));
    }
    places.push_back(count - 1);
    return places;
}

Result<double> referenceParam(const ReferenceSpec& spec, const std::string& name)
{
    const auto found = spec.params.find(name);
    if (found == spec.params.end())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The reference {} needs the parameter {}.", spec.function, name),
                     .hint = "Add it to \"reference.params\" in the kernel's descriptor.",
                     .where = spec.function};
    return found->second;
}

Result<std::int64_t> referenceSize(const ReferenceSpec& spec, const std::string& name)
{
    const Result<double> value = referenceParam(spec, name);
    return value ? Result<std::int64_t>(std::llround(*value)) : Result<std::int64_t>(value.error());
}

Error sizesDoNotFit(const ReferenceSpec& spec)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("The input sizes of the reference {} do not match its parameters.", spec.function),
            .hint = "Correct the buffers' counts or \"reference.params\" in the kernel's descriptor.",
            .where = spec.function};
}

} // namespace kl::inline kernels
