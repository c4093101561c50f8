// SPDX-License-Identifier: MIT
#include "kernels/code_builder.h"

#include "kernels/formula_parser.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kl {
namespace {

/// The whole number that is meant, where the type holds it: another would arrive as something else.
Result<double> wholeNumber(const std::string& text, double value, double least, double most)
{
    const double rounded = std::round(value);
    if (std::abs(value - rounded) <= 1e-6 && rounded >= least && rounded <= most)
        return rounded;
    return badFormula(text, fmt::format("{} is not a whole number from {:.0f} to {:.0f}", value, least, most));
}

Status evaluateCounts(const std::vector<std::string>& formulas, const Scope& scope, std::vector<std::int64_t>& out)
{
    for (const std::string& formula : formulas) {
        const Result<std::int64_t> value = evaluateCount(formula, scope, 1);
        if (!value)
            return value.error();
        out.push_back(*value);
    }
    out.resize(3, 1);
    return {};
}

Result<LaunchSpec> buildLaunch(const LaunchFormula& formula, const Scope& scope)
{
    LaunchSpec launch;
    launch.entry = formula.entry;
    if (Status status = evaluateCounts(formula.grid, scope, launch.grid); !status)
        return status.error();
    if (Status status = evaluateCounts(formula.block, scope, launch.block); !status)
        return status.error();
    const Result<std::int64_t> smem = evaluateCount(formula.dynamicSmem, scope, 0);
    const Result<std::int64_t> repeat = evaluateCount(formula.repeat, scope, 0, kMaxRepeat);
    if (!smem || !repeat)
        return !smem ? smem.error() : repeat.error();
    launch.dynamicSmem = *smem;
    launch.repeat = static_cast<int>(*repeat);
    for (const std::string& text : formula.args) {
        Result<ArgSpec> arg = buildArg(text, scope);
        if (!arg)
            return arg.error();
        launch.args.push_back(std::move(*arg));
    }
    return launch;
}

} // namespace

Result<ArgSpec> buildArg(const std::string& text, const Scope& scope)
{
    const auto colon = text.find(':');
    if (colon == std::string::npos)
        return ArgSpec{text, {}, 0};
    const std::string type = text.substr(0, colon);
    const Result<double> value = evaluate(text.substr(colon + 1), scope);
    if (!value)
        return value.error();
    ArgSpec arg;
    arg.value = *value;
    if (type == "f32" || type == "f64") {
        arg.scalarType = type == "f32" ? DType::f32 : DType::f64;
        return arg;
    }
    if (type != "i32" && type != "u32")
        return Error{ErrorCode::badInput,
                     fmt::format("The argument \"{}\" has the unknown type {}.", text, type),
                     "Use i32, u32, f32 or f64, or a buffer's name alone.",
                     text,
                     {}};
    const bool isSigned = type == "i32";
    const Result<double> whole = wholeNumber(text, *value, isSigned ? -2147483648.0 : 0.0, isSigned ? 2147483647.0 : 4294967295.0);
    if (!whole)
        return whole.error();
    arg.scalarType = isSigned ? DType::i32 : DType::u32;
    arg.value = *whole;
    return arg;
}

CodeText codeTextOf(const KernelFamily& family, const Variant& variant)
{
    if (variant.sourcePath.empty())
        return {family.source, family.headers, family.image};
    return {variant.source, variant.headers, variant.image};
}

Result<CodeSpec> buildCode(const KernelFamily& family, const Variant& variant, const FamilyPoint& point)
{
    CodeSpec code;
    code.kernel = toText(Address{family.id, variant.id, point.changed});
    const CodeText text = codeTextOf(family, variant);
    code.source = text.source;
    code.headers = text.headers;
    code.image = text.image;
    code.options.push_back("--std=c++17");
    for (const auto& [name, value] : point.defs)
        code.options.push_back(fmt::format("-D{}={:.0f}", name, value));
    for (const std::string& option : variant.options) {
        Result<std::string> filled = substitute(option, point.scope);
        if (!filled)
            return filled.error();
        code.options.push_back(std::move(*filled));
    }
    for (const LaunchFormula& formula : variant.launches) {
        Result<LaunchSpec> launch = buildLaunch(formula, point.scope);
        if (!launch)
            return launch.error();
        if (launch->repeat > 0)
            code.launches.push_back(std::move(*launch));
    }
    if (code.launches.empty())
        return Error{
            ErrorCode::badInput,
            fmt::format("{} launches nothing here.", code.kernel),
            "\"repeat\" of each of its launches is 0 at this point.",
            fmt::format("variants[{}].launches", std::ranges::find(family.variants, variant.id, &Variant::id) - family.variants.begin()),
            {}};
    return code;
}

} // namespace kl
