// SPDX-License-Identifier: MIT
#include "kernels/reference/attention_reference.h"

#include "core/base/try.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace kl::inline kernels {
namespace {

struct Shape {
    std::int64_t heads = 0;  ///< batches times heads
    std::int64_t length = 0; ///< queries
    std::int64_t keys = 0;
    std::int64_t group = 1; ///< heads of queries that share one of keys
    std::int64_t dim = 0;
    bool causal = false;

    std::int64_t rows() const { return heads * length; }
    double multiplyAdds() const { return 2.0 * static_cast<double>(rows()) * static_cast<double>(keys) * static_cast<double>(dim); }
};

/// Above this many multiply-adds only a sample of the rows is evaluated: about 0.2 s of one host core.
constexpr double kMultiplyAddsInFull = 2e8;
constexpr std::int64_t kSampledRows = 256;

Error badShape(const ReferenceSpec& spec, const std::string& what)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("The attention reference cannot be evaluated: {}.", what),
            .hint = "It needs the params B, H, S, D and CAUSAL, SK if it differs from S, q of B*H*S*D elements, k and v of B*H/GROUP*SK*D "
                    "each (GROUP "
                    "defaults to 1).",
            .where = spec.function};
}

Result<Shape> readShape(const ReferenceSpec& spec)
{
    double values[7] = {};
    const char* const names[7] = {"B", "H", "S", "SK", "D", "GROUP", "CAUSAL"};
    for (int i = 0; i < 7; ++i) {
        auto found = spec.params.find(names[i]);
        if (found == spec.params.end() && i == 5) {
            values[i] = 1;
            continue;
        }
        if (found == spec.params.end() && i == 3)
            found = spec.params.find("S"); // as many keys as queries
        if (found == spec.params.end())
            return badShape(spec, fmt::format("the param {} is missing", names[i]));
        if (i < 6 && (found->second < 1 || found->second > 1e9 || found->second != std::floor(found->second)))
            return badShape(spec, fmt::format("{} = {} is not a size", names[i], found->second));
        values[i] = found->second;
    }
    if (std::fmod(values[1], values[5]) != 0)
        return badShape(spec, fmt::format("H = {} is not a multiple of GROUP = {}", values[1], values[5]));
    return Shape{static_cast<std::int64_t>(values[0] * values[1]),
                 static_cast<std::int64_t>(values[2]),
                 static_cast<std::int64_t>(values[3]),
                 static_cast<std::int64_t>(values[5]),
                 static_cast<std::int64_t>(values[4]),
                 values[6] != 0};
}

/// SplitMix64 (Steele, Lea, Flood 2014): a full-period step and a finaliser, enough to pick rows.
std::uint64_t nextRandom(std::uint64_t& state)
{
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// The first and last row of the first and last head, and one random row of each of kSampledRows equal parts: every head and every
/// part of a head gets its share. Sorted.
std::set<std::int64_t> sampleRows(const Shape& shape, std::uint64_t seed)
{
    const std::int64_t rows = shape.rows();
    std::set<std::int64_t> chosen{0, shape.length - 1, rows - shape.length, rows - 1};
    const std::int64_t parts = std::min(kSampledRows, rows);
    for (std::int64_t part = 0; part < parts; ++part) {
        const std::int64_t begin = rows * part / parts, end = rows * (part + 1) / parts;
        chosen.insert(begin + static_cast<std::int64_t>(nextRandom(seed) % static_cast<std::uint64_t>(end - begin)));
    }
    return chosen;
}

double dot(const double* a, const double* b, std::int64_t count)
{
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

/// Appends the output of one query row. `weights` is working space of `keys` values.
void appendRow(const Shape& shape, const std::vector<std::vector<double>>& inputs, std::int64_t row, std::vector<double>& weights,
               std::vector<double>& out)
{
    const std::int64_t head = row / shape.length, query = row % shape.length;
    const double* q = inputs[0].data() + row * shape.dim;
    const double* k = inputs[1].data() + head / shape.group * shape.keys * shape.dim;
    const double* v = inputs[2].data() + head / shape.group * shape.keys * shape.dim;
    const std::int64_t visible = shape.causal ? std::min(query + 1, shape.keys) : shape.keys;
    const double scale = 1 / std::sqrt(static_cast<double>(shape.dim));
    for (std::int64_t key = 0; key < visible; ++key)
        weights[static_cast<std::size_t>(key)] = scale * dot(q, k + key * shape.dim, shape.dim);
    const auto end = weights.begin() + visible;
    const double highest = *std::max_element(weights.begin(), end);
    double total = 0;
    for (auto weight = weights.begin(); weight != end; ++weight)
        total += * weight = std::exp(*weight - highest);
    const std::size_t first = out.size();
    out.resize(first + static_cast<std::size_t>(shape.dim), 0.0);
    for (std::int64_t key = 0; key < visible; ++key) {
        const double weight = weights[static_cast<std::size_t>(key)] / total;
        for (std::int64_t d = 0; d < shape.dim; ++d)
            out[first + static_cast<std::size_t>(d)] += weight * v[key * shape.dim + d];
    }
}

} // namespace

Result<Expected> attentionReference(const ReferenceSpec& spec, const std::vector<std::vector<double>>& inputs, std::uint64_t seed)
{
    KL_ASSIGN(const Shape shape, readShape(spec));
    if (inputs.size() != 3)
        return badShape(spec, fmt::format("it needs 3 inputs, got {}", inputs.size()));
    for (std::size_t i = 0; i < 3; ++i) {
        const auto count = static_cast<std::size_t>((i == 0 ? shape.rows() : shape.heads / shape.group * shape.keys) * shape.dim);
        if (inputs[i].size() != count)
            return badShape(spec, fmt::format("an input has {} elements; the sizes require {}", inputs[i].size(), count));
    }

    Expected expected;
    std::vector<double> weights(static_cast<std::size_t>(shape.keys));
    if (shape.multiplyAdds() <= kMultiplyAddsInFull) {
        for (std::int64_t row = 0; row < shape.rows(); ++row)
            appendRow(shape, inputs, row, weights, expected.values);
        return expected;
    }
    for (const std::int64_t row : sampleRows(shape, seed)) {
        for (std::int64_t d = 0; d < shape.dim; ++d)
            expected.indices.push_back(row * shape.dim + d);
        appendRow(shape, inputs, row, weights, expected.values);
    }
    return expected;
}

} // namespace kl::inline kernels
