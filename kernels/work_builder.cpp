// SPDX-License-Identifier: MIT
#include "kernels/work_builder.h"

#include "core/base/try.h"
#include "kernels/code_builder.h"
#include "kernels/data/data_file.h"
#include "kernels/model/work_fields.h"
#include "kernels/placed_buffers.h"
#include "kernels/reference_builder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

/// The first word whose formula is not 0, or `usual`.
template <class E> Result<E> chooseEnumWord(const std::map<std::string, std::string>& when, E usual, const Scope& scope)
{
    for (const auto& [word, formula] : when) {
        KL_ASSIGN(const double value, evaluate(formula, scope));
        for (const auto& [candidate, text] : enumWords(E{}))
            if (value != 0 && word == text)
                return candidate;
    }
    return usual;
}

Status buildBuffers(const KernelFamily& family, const Scope& scope, WorkSpec& work)
{
    for (std::size_t i = 0; i < family.buffers.size(); ++i) {
        const KernelFamily::Buffer& buffer = family.buffers[i];
        KL_ASSIGN(const std::int64_t count, evaluateCount(buffer.count, scope, 0));
        const Result<DType> type = chooseType(buffer, scope);
        const Result<Fill> fill = chooseEnumWord(buffer.fillWhen, buffer.fill, scope);
        if (!type || !fill)
            return !type ? type.error() : fill.error();
        BufferSpec spec{buffer.name, *type, count, buffer.role, *fill, buffer.scale, {}};
        if (!buffer.address.empty()) {
            if (const Status placed = placeBuffer(family, buffer, spec); !placed)
                return inField(placed.error(), fmt::format("buffers[{}].{}", i, placed.error().where));
        } else if (spec.fill == Fill::file) {
            Result<std::string> content = readElements(family, buffer.file, scope, spec.type, count, buffer.name);
            if (!content)
                return inField(content.error(), fmt::format("buffers[{}].file", i));
            spec.content = std::move(*content);
        }
        work.buffers.push_back(std::move(spec));
    }
    KL_TRY(checkPlaces(work));
    for (const LaunchSpec& launch : work.launches)
        for (const ArgSpec& arg : launch.args)
            if (!arg.scalarType &&
                std::none_of(work.buffers.begin(), work.buffers.end(), [&](const BufferSpec& b) { return b.name == arg.buffer; }))
                return badPoint(family, fmt::format("{} takes the unknown buffer \"{}\".", launch.entry, arg.buffer),
                                "Use a buffer of the descriptor, or TYPE:FORMULA for a scalar.");
    return {};
}

Status buildFormulas(const KernelFamily& family, const Scope& scope, WorkSpec& work)
{
    const KernelFamily::BaselineFormula& baseline = family.baseline;
    work.baseline = {baseline.kind, baseline.name, baseline.op, {}, baseline.fallback, {}};
    KL_TRY(evaluateAll(baseline.params, scope, work.baseline.params));
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
        KL_ASSIGN(const double holds, evaluate(constraint, scope));
        if (holds == 0)
            return inField(
                badPoint(family, fmt::format("{} does not satisfy {}.", kernel, constraint), "Choose other values of its tunables."),
                fmt::format("{}constraints[{}]", path, i));
    }
    return {};
}

/// A launch was tried on the family's own sizes when its descriptor was read: what fails on others is for these to answer.
Error onSizes(Error error, const KernelFamily& family, const WorkSpec& work)
{
    const std::string own = toText(family.problems.front());
    if (work.problem == own)
        return error;
    error.message = fmt::format("{} cannot be launched at {}. {}", work.kernel, work.problem, error.message);
    error.hint = fmt::format("Use other sizes, e.g. {}.", own);
    return error;
}

} // namespace

Result<DType> chooseType(const KernelFamily::Buffer& buffer, const Scope& scope)
{
    return chooseEnumWord(buffer.typeWhen, buffer.type, scope);
}

Result<WorkSpec> buildWork(const KernelFamily& family, const Variant& variant, const Params& tunables, const Params& problem,
                           const Chip& chip)
{
    KL_ASSIGN(const FamilyPoint point, makeFamilyPoint(family, variant, tunables, problem, chip));
    WorkSpec work;
    work.kernel = toText(Address{family.id, variant.id, point.changed});
    work.problem = toText(point.sizes);
    KL_ASSIGN(const double scale, evaluate(family.toleranceScale, point.scope));
    work.tolerance = {family.tolerance.maxAbs * scale, family.tolerance.relL2 * scale};
    work.graph = variant.graph;
    work.deterministic = variant.deterministic;
    work.state = variant.state;
    KL_ASSIGN(work.variables, readVariables(family, variant));
    work.arithmetic = variant.arithmetic;
    if (!variant.tunables.empty()) {
        const auto place = std::ranges::find(family.variants, variant.id, &Variant::id) - family.variants.begin();
        KL_TRY(checkConstraints(family, family.constraints, {}, point.scope, work.kernel));
        KL_TRY(checkConstraints(family, variant.constraints, fmt::format("variants[{}].", place), point.scope, work.kernel));
    }
    Result<CodeSpec> code = buildCode(family, variant, point);
    if (!code)
        return onSizes(code.error(), family, work);
    work.source = std::move(code->source);
    work.headers = std::move(code->headers);
    work.image = std::move(code->image);
    work.options = std::move(code->options);
    work.targets = std::move(code->targets);
    work.launches = std::move(code->launches);
    work.sourceHash = codeHash(work.source, work.headers, work.image);
    KL_TRY(buildBuffers(family, point.scope, work));
    KL_TRY(buildReference(family, point, chip, work));
    KL_TRY(buildFormulas(family, point.scope, work));
    return work;
}

} // namespace kl::inline kernels
