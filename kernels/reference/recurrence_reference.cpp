// SPDX-License-Identifier: MIT
#include "kernels/reference/recurrence_reference.h"

#include "core/base/try.h"
#include "kernels/reference/sampling.h"

#include <bit>
#include <cmath>

namespace kl::inline kernels {
namespace {

constexpr std::int64_t kSampledPaths = 8192;
constexpr std::int64_t kSampledElementwise = 65536;

double recurrence(std::int64_t kind, double x)
{
    switch (kind) {
    case 0: return (x * 0.999 + 0.001) * 0.5 + 0.25;
    case 1: return -0.5 * x * x + 0.75;
    case 2: return (x * 0.5 + 0.25) * x + 0.125;
    default: return x * (-0.25 * x + 0.5) - 0.125;
    }
}

} // namespace

Result<Expected> pathsReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    const Result<double> trips = referenceParam(spec, "trips");
    const Result<std::int64_t> iters = referenceSize(spec, "iters");
    if (!trips || !iters)
        return !trips ? trips.error() : iters.error();
    Expected expected{sampleElements(static_cast<std::int64_t>(inputs[0].size()), kSampledPaths, seed), {}};
    for (const std::int64_t i : expected.indices) {
        const std::int64_t kind = *trips != 0 ? 2 : i % 4;
        const std::int64_t count = *trips != 0 ? *iters * (i % 32 + 1) / 32 : *iters;
        const double start = inputs[0][static_cast<std::size_t>(i)];
        double x = start;
        for (std::int64_t k = 0; k < count; ++k)
            x = recurrence(kind, x);
        expected.values.push_back(start + x);
    }
    return expected;
}

Result<Expected> polynomialReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    KL_ASSIGN(const std::int64_t degree, referenceSize(spec, "degree"));
    Expected expected{sampleElements(static_cast<std::int64_t>(inputs[0].size()), kSampledElementwise, seed), {}};
    for (const std::int64_t i : expected.indices) {
        const double x = inputs[0][static_cast<std::size_t>(i)];
        double sum = 0;
        for (std::int64_t k = degree; k >= 0; --k)
            sum = sum * x + 1.0 / static_cast<double>(1 + k % 8);
        expected.values.push_back(sum);
    }
    return expected;
}

Result<Expected> seriesReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    KL_ASSIGN(const std::int64_t terms, referenceSize(spec, "terms"));
    Expected expected{sampleElements(static_cast<std::int64_t>(inputs[0].size()), kSampledElementwise, seed), {}};
    for (const std::int64_t i : expected.indices) {
        double sum = 0;
        for (std::int64_t k = 1; k <= terms; ++k)
            sum += std::sin(static_cast<double>(k) * inputs[0][static_cast<std::size_t>(i)]) / static_cast<double>(k);
        expected.values.push_back(sum);
    }
    return expected;
}

Result<Expected> mortonReference(const ReferenceSpec&, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    Expected expected{sampleElements(static_cast<std::int64_t>(inputs[0].size()), kSampledElementwise, seed), {}};
    for (const std::int64_t i : expected.indices) {
        const auto word = std::bit_cast<std::uint32_t>(static_cast<float>(inputs[0][static_cast<std::size_t>(i)]));
        std::uint32_t key = 0;
        for (unsigned b = 0; b < 16; ++b)
            key |= (word >> b & 1U) << (2 * b) | (word >> (16 + b) & 1U) << (2 * b + 1);
        expected.values.push_back(key);
    }
    return expected;
}

} // namespace kl::inline kernels
