// SPDX-License-Identifier: MIT
#include "kernels/reference/row_reference.h"

#include "core/base/try.h"
#include "kernels/reference/sampling.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace kl::inline kernels {
namespace {

constexpr std::int64_t kWholeRows = 1000;
constexpr std::int64_t kIteratedRows = 128;

using Values = std::span<const double>;

/// Evaluates whole rows, at most `most`: `evaluate` appends the results of one. The last row may be shorter.
template <class Evaluate>
Expected inRows(const std::vector<double>& input, std::int64_t cols, std::uint64_t seed, const Evaluate& evaluate,
                std::int64_t most = kWholeRows)
{
    const auto count = static_cast<std::int64_t>(input.size());
    const std::int64_t rows = (count + cols - 1) / cols;
    Expected expected;
    for (const std::int64_t row : sampleElements(rows, most, seed)) {
        const std::int64_t first = row * cols;
        const std::int64_t length = std::min(cols, count - first);
        for (std::int64_t c = 0; c < length; ++c)
            expected.indices.push_back(first + c);
        evaluate(Values(input).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(length)), expected.values);
    }
    return expected;
}

Result<std::int64_t> rowLength(const ReferenceSpec& spec, const char* name)
{
    const Result<std::int64_t> cols = referenceSize(spec, name);
    if (cols && *cols < 1)
        return sizesDoNotFit(spec);
    return cols;
}

} // namespace

Result<Expected> softmaxReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    KL_ASSIGN(const std::int64_t cols, rowLength(spec, "cols"));
    return inRows(inputs[0], cols, seed, [](Values x, std::vector<double>& out) {
        const double most = *std::max_element(x.begin(), x.end());
        double sum = 0;
        for (const double value : x)
            sum += std::exp(value - most);
        for (const double value : x)
            out.push_back(std::exp(value - most) / sum);
    });
}

Result<Expected> layerNormReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    const Result<std::int64_t> cols = rowLength(spec, "cols");
    const Result<double> epsilon = referenceParam(spec, "epsilon");
    if (!cols || !epsilon)
        return !cols ? cols.error() : epsilon.error();
    const std::vector<double>& gamma = inputs[1];
    const std::vector<double>& beta = inputs[2];
    const auto length = static_cast<std::size_t>(*cols);
    if (gamma.size() != length || beta.size() != length || inputs[0].size() % length != 0)
        return sizesDoNotFit(spec);
    return inRows(inputs[0], *cols, seed, [&](Values x, std::vector<double>& out) {
        double mean = 0;
        for (const double value : x)
            mean += value / static_cast<double>(length);
        double variance = 0;
        for (const double value : x)
            variance += (value - mean) * (value - mean) / static_cast<double>(length);
        const double scale = 1 / std::sqrt(variance + *epsilon);
        for (std::size_t c = 0; c < length; ++c)
            out.push_back((x[c] - mean) * scale * gamma[c] + beta[c]);
    });
}

Result<Expected> scanReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    KL_ASSIGN(const std::int64_t segment, rowLength(spec, "segment"));
    return inRows(inputs[0], segment, seed, [](Values x, std::vector<double>& out) {
        double sum = 0;
        for (const double value : x)
            out.push_back(sum += value);
    });
}

Result<Expected> jacobiReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    const Result<std::int64_t> width = rowLength(spec, "width");
    const Result<std::int64_t> steps = referenceSize(spec, "steps");
    if (!width || !steps)
        return !width ? width.error() : steps.error();
    const auto cols = static_cast<std::size_t>(*width);
    if (inputs[0].size() != cols * cols || inputs[1].size() % cols != 0)
        return sizesDoNotFit(spec);
    const auto iterate = [&](Values b, std::vector<double>& out) {
        std::vector<double> x(b.begin(), b.end());
        for (std::int64_t step = 0; step < *steps; ++step) {
            std::vector<double> next(b.begin(), b.end());
            for (std::size_t k = 0; k < cols; ++k)
                for (std::size_t c = 0; c < cols; ++c)
                    next[c] += x[k] * inputs[0][k * cols + c];
            x = std::move(next);
        }
        out.insert(out.end(), x.begin(), x.end());
    };
    return inRows(inputs[1], *width, seed, iterate, kIteratedRows);
}

} // namespace kl::inline kernels
