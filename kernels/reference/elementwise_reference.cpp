// SPDX-License-Identifier: MIT
#include "kernels/reference/elementwise_reference.h"

#include "core/base/try.h"
#include "kernels/reference/sampling.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

double computeChain(int kind, double x, std::int64_t index, int iters)
{
    if (kind == 2) {
        auto bits = static_cast<std::uint32_t>(index) + 1U + (x > 2.0 ? 1U : 0U);
        for (int k = 0; k < iters; ++k) {
            bits ^= bits << 13U;
            bits ^= bits >> 17U;
            bits ^= bits << 5U;
        }
        return bits & 0xffffU;
    }
    for (int k = 0; k < iters; ++k)
        x = kind == 3 ? std::exp2(-x) : x * 0.999 + 0.001;
    return x;
}

} // namespace

Result<Expected> copyReference(const ReferenceSpec&, const std::vector<std::vector<double>>& inputs, std::uint64_t)
{
    return Expected{{}, inputs[0]};
}

Result<Expected> transposeReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t)
{
    const Result<double> rows = referenceParam(spec, "rows");
    const Result<double> cols = referenceParam(spec, "cols");
    if (!rows || !cols)
        return !rows ? rows.error() : cols.error();
    const auto m = static_cast<std::size_t>(*rows);
    const auto n = static_cast<std::size_t>(*cols);
    if (m * n != inputs[0].size())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} x {} is not the size of the input, {}.", m, n, inputs[0].size()),
                     .hint = "Correct the buffer's count or the reference's rows and cols.",
                     .where = spec.function};
    Expected expected;
    expected.values.resize(m * n);
    constexpr std::size_t kBlock = 64; // keeps both sides in cache
    for (std::size_t i0 = 0; i0 < m; i0 += kBlock)
        for (std::size_t j0 = 0; j0 < n; j0 += kBlock)
            for (std::size_t i = i0; i < std::min(i0 + kBlock, m); ++i)
                for (std::size_t j = j0; j < std::min(j0 + kBlock, n); ++j)
                    expected.values[j * m + i] = inputs[0][i * n + j];
    return expected;
}

Result<Expected> sumReference(const ReferenceSpec&, const std::vector<std::vector<double>>& inputs, std::uint64_t)
{
    double sum = 0;
    for (const double value : inputs[0])
        sum += value;
    return Expected{{}, {sum}};
}

Result<Expected> chainReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t)
{
    KL_ASSIGN(const double steps, referenceParam(spec, "steps"));
    Expected expected{{}, inputs[0]};
    for (double& value : expected.values)
        for (int k = 0; k < static_cast<int>(steps); ++k)
            value = std::max(0.9 * value + 0.1, -1.0);
    return expected;
}

Result<Expected> fmaReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t)
{
    const Result<double> kind = referenceParam(spec, "kind");
    const Result<double> iters = referenceParam(spec, "iters");
    if (!kind || !iters)
        return !kind ? kind.error() : iters.error();
    constexpr std::int64_t kSampled = 4096;
    const auto count = static_cast<std::int64_t>(inputs[0].size());
    Expected expected;
    if (count > kSampled) {
        // First and last elements included.
        for (std::int64_t k = 0; k < kSampled; ++k)
            expected.indices.push_back(k * (count - 1) / (kSampled - 1));
    } else {
        for (std::int64_t k = 0; k < count; ++k)
            expected.indices.push_back(k);
    }
    for (const std::int64_t index : expected.indices)
        expected.values.push_back(
            computeChain(static_cast<int>(*kind), inputs[0][static_cast<std::size_t>(index)], index, static_cast<int>(*iters)));
    return expected;
}

} // namespace kl::inline kernels
