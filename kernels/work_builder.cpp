// SPDX-License-Identifier: MIT
#include "kernels/work_builder.h"

#include "core/base/ids.h"
#include "kernels/expression.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

Error badPoint(const KernelFamily& family, const std::string& what, const std::string& hint)
{
    return {ErrorCode::badInput, what, hint, family.id, {}};
}

std::string valueText(const ParamValue& value)
{
    return std::holds_alternative<std::int64_t>(value) ? std::to_string(std::get<std::int64_t>(value)) : std::get<std::string>(value);
}

/// The default sizes with those of `given` over them.
Result<Params> completeSizes(const KernelFamily& family, const Params& given)
{
    Params sizes = family.problems.front();
    for (const auto& [name, value] : given) {
        const auto* number = std::get_if<std::int64_t>(&value);
        if (!sizes.contains(name))
            return badPoint(family, fmt::format("{} has no size {}.", family.id, name),
                            fmt::format("Give its sizes as in --problem {}.", toText(family.problems.front())));
        if (number == nullptr || *number < 0)
            return badPoint(family, fmt::format("{}={} is not a size.", name, valueText(value)), "Sizes are whole numbers, 0 or more.");
        sizes[name] = value;
    }
    return sizes;
}

/// Every tunable of the variant with its value; words count as their index.
struct Point {
    Params changed; ///< those not at their default
    std::map<std::string, double> values;
};

Result<Point> completeTunables(const KernelFamily& family, const Variant& variant, const Params& given)
{
    for (const auto& [name, value] : given)
        if (std::find(variant.tunables.begin(), variant.tunables.end(), name) == variant.tunables.end())
            return badPoint(family, fmt::format("{}/{} has no tunable {}.", family.id, variant.id, name),
                            variant.tunables.empty() ? "It has none." : fmt::format("It has {}.", fmt::join(variant.tunables, ", ")));
    Point point;
    for (const Tunable& tunable : family.tunables) {
        if (std::find(variant.tunables.begin(), variant.tunables.end(), tunable.name) == variant.tunables.end())
            continue;
        const auto chosen = given.find(tunable.name);
        const ParamValue& value = chosen == given.end() ? tunable.defaultValue : chosen->second;
        const auto place = std::find(tunable.values.begin(), tunable.values.end(), value);
        if (place == tunable.values.end()) {
            std::string list;
            for (const ParamValue& known : tunable.values)
                list += (list.empty() ? "" : ", ") + valueText(known);
            return badPoint(family, fmt::format("{} cannot be {}.", tunable.name, valueText(value)), fmt::format("Its values: {}.", list));
        }
        if (value != tunable.defaultValue)
            point.changed[tunable.name] = value;
        point.values[tunable.name] = std::holds_alternative<std::int64_t>(value) ? static_cast<double>(std::get<std::int64_t>(value))
                                                                                 : static_cast<double>(place - tunable.values.begin());
    }
    return point;
}

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
    if (type == "i32")
        arg.scalarType = DType::i32;
    else if (type == "u32")
        arg.scalarType = DType::u32;
    else if (type == "f32")
        arg.scalarType = DType::f32;
    else if (type == "f64")
        arg.scalarType = DType::f64;
    else
        return Error{ErrorCode::badInput,
                     fmt::format("The argument \"{}\" has the unknown type {}.", text, type),
                     "Use i32, u32, f32 or f64, or a buffer's name alone.",
                     text,
                     {}};
    return arg;
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
    const Result<std::int64_t> repeat = evaluateCount(formula.repeat, scope, 1);
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

Status evaluateMap(const std::map<std::string, std::string>& formulas, const Scope& scope, std::map<std::string, double>& out)
{
    for (const auto& [name, formula] : formulas) {
        const Result<double> value = evaluate(formula, scope);
        if (!value)
            return value.error();
        out[name] = *value;
    }
    return {};
}

Status buildBuffers(const KernelFamily& family, const Scope& scope, WorkSpec& work)
{
    for (const KernelFamily::Buffer& buffer : family.buffers) {
        const Result<std::int64_t> count = evaluateCount(buffer.count, scope, 0);
        if (!count)
            return count.error();
        work.buffers.push_back({buffer.name, buffer.type, *count, buffer.role, buffer.fill, buffer.scale});
    }
    for (const LaunchSpec& launch : work.launches)
        for (const ArgSpec& arg : launch.args)
            if (!arg.scalarType &&
                std::none_of(work.buffers.begin(), work.buffers.end(), [&](const BufferSpec& b) { return b.name == arg.buffer; }))
                return badPoint(family, fmt::format("{} takes the unknown buffer \"{}\".", launch.entry, arg.buffer),
                                "Name a buffer of the descriptor, or write TYPE:FORMULA for a scalar.");
    return {};
}

Status buildFormulas(const KernelFamily& family, const Scope& scope, WorkSpec& work)
{
    work.reference = {family.reference.function, {}, family.reference.inputs, family.reference.output};
    if (Status status = evaluateMap(family.reference.params, scope, work.reference.params); !status)
        return status;
    const KernelFamily::BaselineFormula& baseline = family.baseline;
    work.baseline = {baseline.kind, baseline.name, baseline.op, {}, baseline.fallback};
    if (Status status = evaluateMap(baseline.params, scope, work.baseline.params); !status)
        return status;
    const Result<double> flops = evaluate(family.flops, scope);
    const Result<double> bytes = evaluate(family.idealBytes, scope);
    if (!flops || !bytes)
        return !flops ? flops.error() : bytes.error();
    work.flops = *flops;
    work.idealBytes = *bytes;
    return {};
}

Status checkConstraints(const KernelFamily& family, const Scope& scope, const std::string& kernel)
{
    for (const std::string& constraint : family.constraints) {
        const Result<double> holds = evaluate(constraint, scope);
        if (!holds)
            return holds.error();
        if (*holds == 0)
            return badPoint(family, fmt::format("{} does not satisfy {}.", kernel, constraint), "Choose other values of its tunables.");
    }
    return {};
}

} // namespace

Result<WorkSpec> buildWork(const KernelFamily& family, const Variant& variant, const Params& tunables, const Params& problem)
{
    const Result<Params> sizes = completeSizes(family, problem);
    if (!sizes)
        return sizes.error();
    Result<Point> point = completeTunables(family, variant, tunables);
    if (!point)
        return point.error();

    Scope scope(variant.constants.begin(), variant.constants.end());
    for (const auto& [name, value] : *sizes)
        scope[name] = static_cast<double>(std::get<std::int64_t>(value));
    for (const auto& [name, value] : point->values)
        scope[name] = value;

    WorkSpec work;
    work.kernel = toText(Address{family.id, variant.id, point->changed});
    work.problem = toText(*sizes);
    work.source = variant.source.empty() ? family.source : variant.source;
    work.sourceHash = contentHash(work.source);
    work.tolerance = family.tolerance;
    work.graph = variant.graph;
    if (!variant.tunables.empty())
        if (Status status = checkConstraints(family, scope, work.kernel); !status)
            return status.error();
    work.options.push_back("--std=c++17");
    for (const auto& [name, value] : point->values)
        work.options.push_back(fmt::format("-D{}={:.0f}", name, value));
    for (const std::string& option : variant.options) {
        Result<std::string> text = substitute(option, scope);
        if (!text)
            return text.error();
        work.options.push_back(std::move(*text));
    }
    for (const LaunchFormula& formula : variant.launches) {
        Result<LaunchSpec> launch = buildLaunch(formula, scope);
        if (!launch)
            return launch.error();
        work.launches.push_back(std::move(*launch));
    }
    if (Status status = buildBuffers(family, scope, work); !status)
        return status.error();
    if (Status status = buildFormulas(family, scope, work); !status)
        return status.error();
    return work;
}

} // namespace kl
