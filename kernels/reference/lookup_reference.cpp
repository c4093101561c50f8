// SPDX-License-Identifier: MIT
#include "kernels/reference/lookup_reference.h"

#include "core/base/try.h"
#include "kernels/reference/sampling.h"

#include <algorithm>

namespace kl::inline kernels {
namespace {

constexpr std::int64_t kSampledLookUps = 65536;
constexpr std::int64_t kSampledWalks = 512;
constexpr std::int64_t kRecordFloats = 32;

/// Rounded as the kernel rounds: the place decides about the value read, no tolerance would do.
std::int64_t computePlace(double position, float offset, float scale, std::int64_t count)
{
    const float at = (static_cast<float>(position) + offset) * scale;
    return std::clamp(static_cast<std::int64_t>(at), std::int64_t{0}, count - 1);
}

} // namespace

Result<Expected> histogramReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t)
{
    KL_ASSIGN(const std::int64_t bins, referenceSize(spec, "bins"));
    if (bins < 1)
        return sizesDoNotFit(spec);
    Expected expected{{}, std::vector<double>(static_cast<std::size_t>(bins))};
    for (const double x : inputs[0])
        ++expected.values[static_cast<std::size_t>(computePlace(x, 1.0F, 0.5F * static_cast<float>(bins), bins))];
    return expected;
}

Result<Expected> gatherReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    const Result<double> sorted = referenceParam(spec, "sorted");
    const Result<double> scale = referenceParam(spec, "scale");
    if (!sorted || !scale)
        return !sorted ? sorted.error() : scale.error();
    const std::vector<double>& positions = inputs[*sorted != 0 ? 1 : 0];
    const std::vector<double>& table = inputs[2];
    Expected expected{sampleElements(static_cast<std::int64_t>(positions.size()), kSampledLookUps, seed), {}};
    for (const std::int64_t i : expected.indices) {
        const std::int64_t place = computePlace(positions[static_cast<std::size_t>(i)], *sorted != 0 ? 0.0F : 1.0F,
                                                static_cast<float>(*scale), static_cast<std::int64_t>(table.size()));
        expected.values.push_back(table[static_cast<std::size_t>(place)]);
    }
    return expected;
}

Result<Expected> walkReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    const Result<std::int64_t> walks = referenceSize(spec, "walks");
    const Result<std::int64_t> steps = referenceSize(spec, "steps");
    const Result<double> decay = referenceParam(spec, "decay");
    if (!walks || !steps || !decay)
        return !walks ? walks.error() : !steps ? steps.error() : decay.error();
    const std::vector<double>& table = inputs[0];
    const auto records = static_cast<std::int64_t>(table.size()) / kRecordFloats;
    if (records == 0)
        return sizesDoNotFit(spec);
    Expected expected;
    for (const std::int64_t walk : sampleElements(*walks, kSampledWalks, seed)) {
        double sums[kRecordFloats] = {};
        double weight = 1;
        auto record = static_cast<std::int64_t>(static_cast<std::uint32_t>(walk) * 2654435761U % static_cast<std::uint32_t>(records));
        for (std::int64_t s = 0; s < *steps; ++s) {
            const double* values = table.data() + record * kRecordFloats;
            for (std::int64_t lane = 0; lane < kRecordFloats; ++lane)
                sums[lane] += weight * values[lane];
            weight *= *decay;
            record = computePlace(values[0], 1.0F, 0.5F * static_cast<float>(records), records);
        }
        for (std::int64_t lane = 0; lane < kRecordFloats; ++lane) {
            expected.indices.push_back(walk * kRecordFloats + lane);
            expected.values.push_back(sums[lane]);
        }
    }
    return expected;
}

} // namespace kl::inline kernels
