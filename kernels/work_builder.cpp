// SPDX-License-Identifier: MIT
#include "kernels/work_builder.h"

#include "kernels/code_builder.h"
#include "kernels/data/data_file.h"
#include "kernels/model/work_fields.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace kl {
namespace {

Error badPoint(const KernelFamily& family, const std::string& what, const std::string& hint)
{
    return {ErrorCode::badInput, what, hint, family.id, {}};
}

/// The error of what a descriptor's field says, or names.
Error inField(Error error, std::string field)
{
    error.where = std::move(field);
    return error;
}

std::string valueText(const ParamValue& value)
{
    return std::holds_alternative<std::int64_t>(value) ? std::to_string(std::get<std::int64_t>(value)) : std::get<std::string>(value);
}

/// " Optional: BF16, SK.", or nothing.
std::string optionalNames(const KernelFamily& family)
{
    std::string names;
    for (const auto& [name, formula] : family.optionalSizes)
        names += (names.empty() ? " Optional: " : ", ") + name;
    return names.empty() ? names : names + '.';
}

/// The default sizes with those of `given` over them, optional ones where they are given.
Result<Params> completeSizes(const KernelFamily& family, const Params& given)
{
    Params sizes = family.problems.front();
    for (const auto& [name, value] : given) {
        const auto* number = std::get_if<std::int64_t>(&value);
        if (!sizes.contains(name) && !family.optionalSizes.contains(name))
            return badPoint(family, fmt::format("{} has no size {}.", family.id, name),
                            fmt::format("Give its sizes as in --problem {}.{}", toText(family.problems.front()), optionalNames(family)));
        if (number == nullptr || *number < 0)
            return badPoint(family, fmt::format("{}={} is not a size.", name, valueText(value)), "Sizes are whole numbers, 0 or more.");
        sizes[name] = value;
    }
    return sizes;
}

Status completeTunables(const KernelFamily& family, const Variant& variant, const Params& given, FamilyPoint& point)
{
    for (const auto& [name, value] : given)
        if (std::find(variant.tunables.begin(), variant.tunables.end(), name) == variant.tunables.end())
            return badPoint(family, fmt::format("{}/{} has no tunable {}.", family.id, variant.id, name),
                            variant.tunables.empty() ? "It has none." : fmt::format("It has {}.", fmt::join(variant.tunables, ", ")));
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
        point.defs[tunable.name] = std::holds_alternative<std::int64_t>(value) ? static_cast<double>(std::get<std::int64_t>(value))
                                                                               : static_cast<double>(place - tunable.values.begin());
    }
    return {};
}

/// Puts sizes into the scope, optional ones with their defaults. One that was given at its default is left out of the point's sizes, so
/// that a problem has one text.
Status completeScope(const KernelFamily& family, FamilyPoint& point)
{
    for (const std::string& name : family.sizes)
        point.scope[name] = static_cast<double>(*numberIn(point.sizes, name));
    Scope chosen;
    for (const auto& [name, formula] : family.optionalSizes) {
        const Result<double> usual = evaluate(formula, point.scope);
        if (!usual)
            return usual.error();
        const std::int64_t* given = numberIn(point.sizes, name);
        chosen[name] = given ? static_cast<double>(*given) : *usual;
        if (chosen[name] == *usual)
            point.sizes.erase(name);
    }
    point.scope.insert(chosen.begin(), chosen.end());
    return {};
}

/// The first word whose formula is not 0, or `usual`.
template <class E> Result<E> chosenWord(const std::map<std::string, std::string>& when, E usual, const Scope& scope)
{
    for (const auto& [word, formula] : when) {
        const Result<double> value = evaluate(formula, scope);
        if (!value)
            return value.error();
        for (const auto& [candidate, text] : enumWords(E{}))
            if (*value != 0 && word == text)
                return candidate;
    }
    return usual;
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
    for (std::size_t i = 0; i < family.buffers.size(); ++i) {
        const KernelFamily::Buffer& buffer = family.buffers[i];
        const Result<std::int64_t> count = evaluateCount(buffer.count, scope, 0);
        if (!count)
            return count.error();
        const Result<DType> type = typeOf(buffer, scope);
        const Result<Fill> fill = chosenWord(buffer.fillWhen, buffer.fill, scope);
        if (!type || !fill)
            return !type ? type.error() : fill.error();
        BufferSpec spec{buffer.name, *type, *count, buffer.role, *fill, buffer.scale, {}};
        if (spec.fill == Fill::file) {
            Result<std::string> content = readElements(family, buffer.file, scope, spec.type, *count, buffer.name);
            if (!content)
                return inField(content.error(), fmt::format("buffers[{}].file", i));
            spec.content = std::move(*content);
        }
        work.buffers.push_back(std::move(spec));
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
    const KernelFamily::BaselineFormula& baseline = family.baseline;
    work.baseline = {baseline.kind, baseline.name, baseline.op, {}, baseline.fallback, {}};
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

Status checkConstraints(const KernelFamily& family, const std::vector<std::string>& constraints, const std::string& path,
                        const Scope& scope, const std::string& kernel)
{
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        const std::string& constraint = constraints[i];
        const Result<double> holds = evaluate(constraint, scope);
        if (!holds)
            return holds.error();
        if (*holds == 0)
            return inField(
                badPoint(family, fmt::format("{} does not satisfy {}.", kernel, constraint), "Choose other values of its tunables."),
                fmt::format("{}constraints[{}]", path, i));
    }
    return {};
}

Result<std::vector<IndexSpec>> buildIndices(const std::vector<std::string>& texts, const Scope& scope)
{
    std::vector<IndexSpec> indices;
    for (const std::string& text : texts) {
        const auto colon = text.find(':');
        const Result<std::int64_t> count = evaluateCount(text.substr(colon + 1), scope, 1);
        if (!count)
            return count.error();
        indices.push_back({text.substr(0, colon), *count});
    }
    return indices;
}

/// The reference kernel is another variant at its defaults on the same problem.
Result<CodeSpec> buildReferenceKernel(const KernelFamily& family, const Params& problem, const Chip& chip)
{
    for (const Variant& variant : family.variants)
        if (variant.id == family.reference.kernel) {
            const Result<FamilyPoint> point = pointOf(family, variant, {}, problem, chip);
            return point ? buildCode(family, variant, *point) : Result<CodeSpec>(point.error());
        }
    return badPoint(family, fmt::format("The reference kernel {} is no variant of {}.", family.reference.kernel, family.id), {});
}

/// An expression without indices runs over the output's elements; with indices it must fill the output.
Status completeIndex(WorkSpec& work)
{
    ReferenceSpec& reference = work.reference;
    for (const BufferSpec& buffer : work.buffers) {
        if (reference.expression.empty() || buffer.name != reference.output)
            continue;
        if (reference.index.empty())
            reference.index.push_back({"i", buffer.count});
        double all = 1; // more than 2^63 may be asked for
        for (const IndexSpec& index : reference.index)
            all *= static_cast<double>(index.count);
        if (all != static_cast<double>(buffer.count))
            return Error{ErrorCode::badInput,
                         fmt::format("The indices of the reference cover {:.0f} elements, {} has {}.", all, buffer.name, buffer.count),
                         "Correct \"reference.index\" in the kernel's descriptor.",
                         "reference.index",
                         {}};
    }
    return {};
}

Status buildReference(const KernelFamily& family, const FamilyPoint& point, const Chip& chip, WorkSpec& work)
{
    const KernelFamily::Reference& from = family.reference;
    ReferenceSpec& to = work.reference;
    to.function = from.function;
    to.inputs = from.inputs;
    to.output = from.output;
    to.expression = from.expression;
    if (Status status = evaluateMap(from.params, point.scope, to.params); !status)
        return status;
    if (!from.expression.empty() || !from.python.empty())
        to.params = point.scope;
    Result<std::vector<IndexSpec>> index = buildIndices(from.index, point.scope);
    Result<std::vector<IndexSpec>> sum = buildIndices(from.sum, point.scope);
    if (!index || !sum)
        return !index ? index.error() : sum.error();
    to.index = std::move(*index);
    to.sum = std::move(*sum);
    if (Status status = completeIndex(work); !status)
        return status;
    if (!from.kernel.empty()) {
        Result<CodeSpec> code = buildReferenceKernel(family, point.sizes, chip);
        if (!code)
            return code.error();
        to.kernel = std::move(*code);
    }
    for (const BufferSpec& buffer : work.buffers)
        if (!from.file.empty() && buffer.name == from.output) {
            Result<std::string> data = readElements(family, from.file, point.scope, buffer.type, buffer.count, "the reference");
            if (!data)
                return inField(data.error(), "reference.file");
            to.data = DataSpec{buffer.type, std::move(*data)};
        }
    to.script = referenceScript(family);
    return {};
}

/// A launch was tried on the family's own sizes when its descriptor was read: what fails on others is for these to answer.
Error onSizes(Error error, const KernelFamily& family, const WorkSpec& work)
{
    const std::string own = toText(family.problems.front());
    if (work.problem == own)
        return error;
    error.message = fmt::format("{} cannot be launched on {}. {}", work.kernel, work.problem, error.message);
    error.hint = fmt::format("Give other sizes, as --problem {}.", own);
    return error;
}

} // namespace

std::optional<ScriptSpec> referenceScript(const KernelFamily& family)
{
    const KernelFamily::Reference& from = family.reference;
    if (from.python.empty())
        return std::nullopt;
    const std::filesystem::path file = std::filesystem::path(family.origin.descriptor).parent_path() / from.python;
    return ScriptSpec{file.lexically_normal().string(), from.script, from.timeoutSeconds};
}

Result<DType> typeOf(const KernelFamily::Buffer& buffer, const Scope& scope)
{
    return chosenWord(buffer.typeWhen, buffer.type, scope);
}

Result<FamilyPoint> pointOf(const KernelFamily& family, const Variant& variant, const Params& tunables, const Params& problem,
                            const Chip& chip)
{
    Result<Params> sizes = completeSizes(family, problem);
    if (!sizes)
        return sizes.error();
    FamilyPoint point;
    point.sizes = std::move(*sizes);
    if (Status status = completeTunables(family, variant, tunables, point); !status)
        return status.error();
    point.scope.insert(variant.constants.begin(), variant.constants.end());
    if (Status status = completeScope(family, point); !status)
        return status.error();
    for (const auto& [name, value] : point.defs)
        point.scope[name] = value;
    addChip(point.scope, chip);
    return point;
}

Result<WorkSpec> buildWork(const KernelFamily& family, const Variant& variant, const Params& tunables, const Params& problem,
                           const Chip& chip)
{
    const Result<FamilyPoint> point = pointOf(family, variant, tunables, problem, chip);
    if (!point)
        return point.error();
    WorkSpec work;
    work.kernel = toText(Address{family.id, variant.id, point->changed});
    work.problem = toText(point->sizes);
    const Result<double> scale = evaluate(family.toleranceScale, point->scope);
    if (!scale)
        return scale.error();
    work.tolerance = {family.tolerance.maxAbs * *scale, family.tolerance.relL2 * *scale};
    work.graph = variant.graph;
    work.deterministic = variant.deterministic;
    work.state = variant.state;
    work.arithmetic = variant.arithmetic;
    if (!variant.tunables.empty()) {
        const auto place = std::ranges::find(family.variants, variant.id, &Variant::id) - family.variants.begin();
        if (Status status = checkConstraints(family, family.constraints, {}, point->scope, work.kernel); !status)
            return status.error();
        if (Status status = checkConstraints(family, variant.constraints, fmt::format("variants[{}].", place), point->scope, work.kernel);
            !status)
            return status.error();
    }
    Result<CodeSpec> code = buildCode(family, variant, *point);
    if (!code)
        return onSizes(code.error(), family, work);
    work.source = std::move(code->source);
    work.headers = std::move(code->headers);
    work.image = std::move(code->image);
    work.options = std::move(code->options);
    work.targets = std::move(code->targets);
    work.launches = std::move(code->launches);
    work.sourceHash = codeHash(work.source, work.headers, work.image);
    if (Status status = buildBuffers(family, point->scope, work); !status)
        return status.error();
    if (Status status = buildReference(family, *point, chip, work); !status)
        return status.error();
    if (Status status = buildFormulas(family, point->scope, work); !status)
        return status.error();
    return work;
}

} // namespace kl
