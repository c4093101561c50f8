// SPDX-License-Identifier: MIT
#include "kernels/code_builder.h"

#include "core/base/try.h"
#include "kernels/data/numbers.h"
#include "kernels/model/formula_parser.h"
#include "kernels/model/work_fields.h"
#include "kernels/placed_buffers.h"
#include "kernels/tensor_map_builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

/// What CUDA allows anywhere (compute capability 9.0, with the attribute of non-portable sizes).
constexpr std::int64_t kMostClusterBlocks = 16;

/// The intended whole number, if the type can represent it; another value would be changed. A formula's numbers are exact up to
/// 2^53.
Result<double> wholeNumber(const std::string& text, double value, DType type)
{
    constexpr auto exact = static_cast<double>(kMaxCount);
    const double least = std::max(findRange(type).first, -exact);
    const double most = std::min(findRange(type).second, exact);
    const double rounded = std::round(value);
    if (std::abs(value - rounded) <= 1e-6 && rounded >= least && rounded <= most)
        return rounded;
    return badFormula(text, fmt::format("{} is not a whole number from {:.0f} to {:.0f}", value, least, most));
}

Result<ArgSpec> buildScalar(const std::string& text, std::size_t colon, const Scope& scope)
{
    const std::optional<DType> type = scalarType(text.substr(0, colon));
    if (!type)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The argument \"{}\" has the unknown type {}.", text, text.substr(0, colon)),
                     .hint = fmt::format("Use {}, or just a buffer's name.", kScalarTypes),
                     .where = text};
    KL_ASSIGN(const double value, evaluate(text.substr(colon + 1), scope));
    ArgSpec arg{{}, type, value};
    if (isInteger(*type)) {
        KL_ASSIGN(const double whole, wholeNumber(text, value, *type));
        arg.value = whole;
    }
    return arg;
}

Result<ArgSpec> buildMapArg(const KernelFamily& family, const TensorMapFormula& formula, const Scope& scope)
{
    const auto buffer = std::ranges::find(family.buffers, formula.buffer, &KernelFamily::Buffer::name);
    if (buffer == family.buffers.end())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("There is no buffer {}.", formula.buffer),
                     .hint = "Name a buffer of the descriptor.",
                     .where = "tensor_map"};
    const Result<DType> type = chooseType(*buffer, scope);
    const Result<std::int64_t> count = evaluateCount(buffer->count, scope, 0);
    if (!type || !count)
        return !type ? type.error() : count.error();
    KL_ASSIGN(TensorMapSpec map, buildTensorMap(formula, *type, scope));
    if (const std::optional<TensorMapFault> fault = tensorMapFault(map, *type, *count))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The tensor map of {}: {}: {}.", formula.buffer, fault->field, fault->message),
                     .hint = fault->hint,
                     .where = fault->field};
    ArgSpec arg{formula.buffer, {}, 0};
    arg.map = std::move(map);
    return arg;
}

Status evaluateCounts(const std::vector<std::string>& formulas, const Scope& scope, std::vector<std::int64_t>& out)
{
    for (const std::string& formula : formulas) {
        KL_ASSIGN(const std::int64_t value, evaluateCount(formula, scope, 1));
        out.push_back(value);
    }
    out.resize(3, 1);
    return {};
}

Result<LaunchSpec> buildLaunch(const KernelFamily& family, const LaunchFormula& formula, const Scope& scope)
{
    LaunchSpec launch;
    launch.entry = formula.entry;
    KL_TRY(evaluateCounts(formula.grid, scope, launch.grid));
    KL_TRY(evaluateCounts(formula.block, scope, launch.block));
    const Result<std::int64_t> smem = evaluateCount(formula.dynamicSmem, scope, 0);
    const Result<std::int64_t> repeat = evaluateCount(formula.repeat, scope, 0, kMaxRepeat);
    if (!smem || !repeat)
        return !smem ? smem.error() : repeat.error();
    launch.dynamicSmem = *smem;
    launch.repeat = static_cast<int>(*repeat);
    if (!formula.cluster.empty())
        KL_TRY(evaluateCounts(formula.cluster, scope, launch.cluster));
    launch.cooperative = formula.cooperative;
    launch.programmatic = formula.programmatic;
    if (const std::optional<LaunchFault> fault = launchShapeFault(launch))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{}: {}.", launch.entry, fault->message),
                     .hint = fault->hint,
                     .where = fault->field};
    for (const ArgFormula& argument : formula.args) {
        KL_ASSIGN(ArgSpec arg, buildArg(family, argument, scope));
        launch.args.push_back(std::move(arg));
    }
    launch.carveout = formula.carveout;
    if (!formula.parameters.empty()) {
        KL_ASSIGN(launch.parameters, readParameters(family, formula.parameters));
    }
    return launch;
}

} // namespace

const char* const kScalarTypes = "i32, u32, i64, u64, f16, bf16, f32 or f64";

std::optional<DType> scalarType(const std::string& word)
{
    for (const DType type : {DType::i32, DType::u32, DType::i64, DType::u64, DType::f16, DType::bf16, DType::f32, DType::f64})
        for (const auto& [known, text] : enumWords(DType{}))
            if (known == type && word == text)
                return type;
    return {};
}

Result<ArgSpec> buildArg(const KernelFamily& family, const ArgFormula& formula, const Scope& scope)
{
    if (!formula.map.buffer.empty())
        return buildMapArg(family, formula.map, scope);
    const auto colon = formula.text.find(':');
    return colon == std::string::npos ? ArgSpec{formula.text, {}, 0} : buildScalar(formula.text, colon, scope);
}

std::optional<LaunchFault> launchShapeFault(const LaunchSpec& launch)
{
    if (launch.cluster.empty())
        return {};
    std::int64_t blocks = 1;
    for (const std::int64_t size : launch.cluster)
        blocks = size > kMostClusterBlocks ? size : blocks * size;
    if (blocks > kMostClusterBlocks)
        return LaunchFault{"cluster", fmt::format("{} blocks exceed the limit of {} per cluster", blocks, kMostClusterBlocks),
                           "Up to 8 work on every GPU that supports clusters."};
    for (std::size_t i = 0; i < launch.cluster.size(); ++i)
        if (const std::int64_t size = launch.cluster[i]; size > 0 && launch.grid[i] % size != 0)
            return LaunchFault{"grid",
                               fmt::format("{} blocks along {} are not a multiple of the cluster's {}", launch.grid[i], "xyz"[i], size),
                               fmt::format("Round the grid up, e.g. ceildiv(…,{})*{}, and let surplus blocks return.", size, size)};
    return {};
}

CodeText chooseCodeText(const KernelFamily& family, const Variant& variant)
{
    if (variant.sourcePath.empty())
        return {family.source, family.headers, family.image};
    return {variant.source, variant.headers, variant.image};
}

Result<CodeSpec> buildCode(const KernelFamily& family, const Variant& variant, const FamilyPoint& point)
{
    CodeSpec code;
    code.kernel = toText(Address{family.id, variant.id, point.changed});
    const CodeText text = chooseCodeText(family, variant);
    code.source = text.source;
    code.headers = text.headers;
    code.image = text.image;
    code.targets = variant.targets;
    code.options.push_back("--std=c++17");
    for (const auto& [name, value] : point.defs)
        code.options.push_back(fmt::format("-D{}={:.0f}", name, value));
    for (const std::string& option : variant.options) {
        KL_ASSIGN(std::string filled, substitute(option, point.scope));
        code.options.push_back(std::move(filled));
    }
    for (const LaunchFormula& formula : variant.launches) {
        KL_ASSIGN(LaunchSpec launch, buildLaunch(family, formula, point.scope));
        if (launch.repeat > 0)
            code.launches.push_back(std::move(launch));
    }
    if (code.launches.empty())
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} launches nothing at this point.", code.kernel),
                     .hint = "\"repeat\" of all its launches is 0.",
                     .where = fmt::format("variants[{}].launches",
                                          std::ranges::find(family.variants, variant.id, &Variant::id) - family.variants.begin())};
    return code;
}

} // namespace kl::inline kernels
