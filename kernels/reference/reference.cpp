// SPDX-License-Identifier: MIT
#include "kernels/reference/reference.h"

#include "kernels/data/base64.h"
#include "kernels/data/numbers.h"
#include "kernels/reference/attention_reference.h"
#include "kernels/reference/elementwise_reference.h"
#include "kernels/reference/expression_reference.h"
#include "kernels/reference/linear_reference.h"
#include "kernels/reference/lookup_reference.h"
#include "kernels/reference/recurrence_reference.h"
#include "kernels/reference/row_reference.h"

#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

using Inputs = std::vector<std::vector<double>>;
using Function = Result<Expected> (*)(const ReferenceSpec&, const Inputs&, std::uint64_t seed);

struct Row {
    const char* name;
    std::size_t inputs;
    Function function;
};

constexpr Row kFunctions[] = {
    {"copy", 1, copyReference},
    {"transpose", 1, transposeReference},
    {"sum", 1, sumReference},
    {"chain", 1, chainReference},
    {"fma", 1, fmaReference},
    {"attention", 3, attentionReference},
    {"histogram", 1, histogramReference},
    {"gather", 3, gatherReference},
    {"walk", 1, walkReference},
    {"softmax", 1, softmaxReference},
    {"layer-norm", 3, layerNormReference},
    {"scan", 1, scanReference},
    {"matmul", 2, matmulReference},
    {"box", 1, boxReference},
    {"taps", 1, tapsReference},
    {"transform", 1, transformReference},
    {"paths", 1, pathsReference},
    {"polynomial", 1, polynomialReference},
    {"series", 1, seriesReference},
    {"morton", 1, mortonReference},
    {"jacobi", 2, jacobiReference},
};

std::string listKnownFunctions()
{
    std::string names;
    for (const Row& row : kFunctions)
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

Result<Expected> dataReference(const DataSpec& data)
{
    const std::optional<std::string> bytes = fromBase64(data.base64);
    if (!bytes)
        return Error{.code = ErrorCode::badInput, .message = "The reference's elements arrived incomplete.", .where = "reference.data"};
    return Expected{{},
                    toDoubles(reinterpret_cast<const std::byte*>(bytes->data()), data.type,
                              bytes->size() / static_cast<std::size_t>(countBytes(data.type)))};
}

} // namespace

Result<Expected> evaluateReference(const ReferenceSpec& spec, const Inputs& inputs, std::uint64_t seed)
{
    if (!spec.expression.empty())
        return expressionReference(spec, inputs, seed);
    if (spec.data)
        return dataReference(*spec.data);
    for (const Row& row : kFunctions) {
        if (spec.function != row.name)
            continue;
        if (inputs.size() != row.inputs)
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("The reference {} needs {} inputs, got {}.", row.name, row.inputs, inputs.size()),
                         .hint = "Correct \"reference.inputs\" in the kernel's descriptor.",
                         .where = spec.function};
        return row.function(spec, inputs, seed);
    }
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("There is no reference function \"{}\".", spec.function),
                 .hint = fmt::format("Known: {}.", listKnownFunctions()),
                 .where = spec.function};
}

} // namespace kl::inline kernels
