// SPDX-License-Identifier: MIT
#include "kernels/reference/recurrence_reference.h"

#include "kernels/reference/sampling.h"

namespace kl {
namespace {

constexpr std::int64_t kSampledPaths = 8192;
constexpr std::int64_t kSampledPolynomials = 65536;

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
    Expected expected{sampledElements(static_cast<std::int64_t>(inputs[0].size()), kSampledPaths, seed), {}};
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
    const Result<std::int64_t> degree = referenceSize(spec, "degree");
    if (!degree)
        return degree.error();
    Expected expected{sampledElements(static_cast<std::int64_t>(inputs[0].size()), kSampledPolynomials, seed), {}};
    for (const std::int64_t i : expected.indices) {
        const double x = inputs[0][static_cast<std::size_t>(i)];
        double sum = 0;
        for (std::int64_t k = *degree; k >= 0; --k)
            sum = sum * x + 1.0 / static_cast<double>(1 + k % 16);
        expected.values.push_back(sum);
    }
    return expected;
}

} // namespace kl
