// SPDX-License-Identifier: MIT
#include "kernels/reference_builder.h"

#include "core/base/try.h"
#include "kernels/code_builder.h"
#include "kernels/data/data_file.h"

#include <filesystem>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

Result<std::vector<IndexSpec>> buildIndices(const std::vector<std::string>& texts, const Scope& scope)
{
    std::vector<IndexSpec> indices;
    for (const std::string& text : texts) {
        const auto colon = text.find(':');
        KL_ASSIGN(const std::int64_t count, evaluateCount(text.substr(colon + 1), scope, 1));
        indices.push_back({text.substr(0, colon), count});
    }
    return indices;
}

/// The reference kernel is another variant at its defaults on the same problem.
Result<CodeSpec> buildReferenceKernel(const KernelFamily& family, const Params& problem, const Chip& chip)
{
    for (const Variant& variant : family.variants)
        if (variant.id == family.reference.kernel) {
            const Result<FamilyPoint> point = makeFamilyPoint(family, variant, {}, problem, chip);
            return point ? buildCode(family, variant, *point) : Result<CodeSpec>(point.error());
        }
    return badPoint(family, fmt::format("The reference kernel {} is not a variant of {}.", family.reference.kernel, family.id), {});
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
        double all = 1; // more than 2^63 may be requested
        for (const IndexSpec& index : reference.index)
            all *= static_cast<double>(index.count);
        if (all != static_cast<double>(buffer.count))
            return Error{.code = ErrorCode::badInput,
                         .message =
                             fmt::format("The indices of the reference cover {:.0f} elements, {} has {}.", all, buffer.name, buffer.count),
                         .hint = "Correct \"reference.index\" in the kernel's descriptor.",
                         .where = "reference.index"};
    }
    return {};
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

Status buildReference(const KernelFamily& family, const FamilyPoint& point, const Chip& chip, WorkSpec& work)
{
    const KernelFamily::Reference& from = family.reference;
    ReferenceSpec& to = work.reference;
    to.function = from.function;
    to.inputs = from.inputs;
    to.output = from.output;
    to.expression = from.expression;
    KL_TRY(evaluateAll(from.params, point.scope, to.params));
    if (!from.expression.empty() || !from.python.empty())
        to.params = point.scope;
    Result<std::vector<IndexSpec>> index = buildIndices(from.index, point.scope);
    Result<std::vector<IndexSpec>> sum = buildIndices(from.sum, point.scope);
    if (!index || !sum)
        return !index ? index.error() : sum.error();
    to.index = std::move(*index);
    to.sum = std::move(*sum);
    KL_TRY(completeIndex(work));
    if (!from.kernel.empty()) {
        KL_ASSIGN(CodeSpec code, buildReferenceKernel(family, point.sizes, chip));
        to.kernel = std::move(code);
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

} // namespace kl::inline kernels
