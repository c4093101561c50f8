// SPDX-License-Identifier: MIT
#include "kernels/reference/linear_reference.h"

#include "core/base/try.h"
#include "kernels/reference/sampling.h"

namespace kl::inline kernels {
namespace {

constexpr std::int64_t kSampledProducts = 8192;
constexpr std::int64_t kSampledSums = 65536;

/// Evaluates some elements of an output of rows × cols.
template <class Evaluate>
Expected inElements(std::int64_t rows, std::int64_t cols, std::int64_t most, std::uint64_t seed, const Evaluate& evaluate)
{
    Expected expected{sampleElements(rows * cols, most, seed), {}};
    for (const std::int64_t i : expected.indices)
        expected.values.push_back(evaluate(i / cols, i % cols));
    return expected;
}

/// Rows and columns of a matrix that is the first input.
Result<std::pair<std::int64_t, std::int64_t>> readMatrixShape(const ReferenceSpec& spec, const std::vector<double>& input)
{
    const Result<std::int64_t> rows = referenceSize(spec, "rows");
    const Result<std::int64_t> cols = referenceSize(spec, "cols");
    if (!rows || !cols)
        return !rows ? rows.error() : cols.error();
    if (*rows * *cols != static_cast<std::int64_t>(input.size()))
        return sizesDoNotFit(spec);
    return std::pair(*rows, *cols);
}

} // namespace

Result<Expected> matmulReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    const Result<std::int64_t> m = referenceSize(spec, "M");
    const Result<std::int64_t> n = referenceSize(spec, "N");
    const Result<std::int64_t> k = referenceSize(spec, "K");
    if (!m || !n || !k)
        return !m ? m.error() : !n ? n.error() : k.error();
    if (*m * *k != static_cast<std::int64_t>(inputs[0].size()) || *k * *n != static_cast<std::int64_t>(inputs[1].size()))
        return sizesDoNotFit(spec);
    return inElements(*m, *n, kSampledProducts, seed, [&](std::int64_t row, std::int64_t col) {
        const double* a = inputs[0].data() + row * *k;
        const double* b = inputs[1].data() + col;
        double sum = 0;
        for (std::int64_t i = 0; i < *k; ++i)
            sum += a[i] * b[i * *n];
        return sum;
    });
}

Result<Expected> boxReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    KL_ASSIGN(const auto matrix, readMatrixShape(spec, inputs[0]));
    const auto [rows, cols] = matrix;
    return inElements(rows, cols, kSampledSums, seed, [&, rows = rows, cols = cols](std::int64_t row, std::int64_t col) {
        double sum = 0;
        for (std::int64_t dy = -2; dy <= 2; ++dy)
            for (std::int64_t dx = -2; dx <= 2; ++dx) {
                const std::int64_t y = row + dy, x = col + dx;
                if (y >= 0 && y < rows && x >= 0 && x < cols)
                    sum += inputs[0][static_cast<std::size_t>(y * cols + x)] / static_cast<double>(1 + dx * dx + dy * dy);
            }
        return sum;
    });
}

Result<Expected> tapsReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    const auto matrix = readMatrixShape(spec, inputs[0]);
    const Result<std::int64_t> taps = referenceSize(spec, "taps");
    if (!matrix || !taps)
        return !matrix ? matrix.error() : taps.error();
    const auto [rows, cols] = *matrix;
    return inElements(rows, cols, kSampledSums, seed, [&, rows = rows, cols = cols](std::int64_t row, std::int64_t col) {
        double sum = 0;
        for (std::int64_t j = 0; j < *taps; ++j)
            sum += inputs[0][static_cast<std::size_t>((row + j) % rows * cols + col)] / static_cast<double>(j + 1);
        return sum;
    });
}

Result<Expected> transformReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    KL_ASSIGN(const std::int64_t length, referenceSize(spec, "length"));
    const auto count = static_cast<std::int64_t>(inputs[0].size());
    if (length < 1 || count % length != 0)
        return sizesDoNotFit(spec);
    const std::int64_t vectors = count / length;
    return inElements(length, vectors, kSampledSums, seed, [&](std::int64_t k, std::int64_t vector) {
        double sum = 0;
        for (std::int64_t j = 0; j < length; ++j)
            sum += static_cast<double>((k * 5 + j % 2 * 3) % 17 - 8) / 16 * inputs[0][static_cast<std::size_t>(j * vectors + vector)];
        return sum;
    });
}

} // namespace kl::inline kernels
