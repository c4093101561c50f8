// SPDX-License-Identifier: MIT
#include "kernels/descriptor_checks.h"

#include "core/device/arch.h"
#include "kernels/code_builder.h"
#include "kernels/compiler_options.h"
#include "kernels/placed_buffers.h"
#include "kernels/user_kernel.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kl::inline kernels {
namespace {

using Fault = std::optional<DescriptorFault>;

constexpr const char* kOneName = "Sizes, tunables, buffers, constants and indices share one namespace: choose another name.";

template <class Items, class Name> std::string joinItems(const Items& items, Name name)
{
    std::string text;
    for (const auto& item : items)
        text += (text.empty() ? "" : ", ") + name(item);
    return text.empty() ? "none" : text;
}

std::string bufferNames(const KernelFamily& family)
{
    return "Buffers: " + joinItems(family.buffers, [](const KernelFamily::Buffer& b) { return b.name; }) + '.';
}

const KernelFamily::Buffer* findBuffer(const KernelFamily& family, const std::string& name)
{
    const auto found = std::find_if(family.buffers.begin(), family.buffers.end(), [&](const auto& b) { return b.name == name; });
    return found == family.buffers.end() ? nullptr : &*found;
}

/// What a kind of baseline cannot run without.
Fault findNeedFault(const KernelFamily::BaselineFormula& baseline, const std::map<std::string, std::string>& params,
                    const std::string& path)
{
    const bool python = baseline.kind == "python";
    if (python != !baseline.op.empty())
        return DescriptorFault{path + (python ? "" : ".op"), python ? "of kind python needs \"op\"" : "is only for the kind python",
                               "As \"kind\": \"python\", \"op\": \"sdpa\"."};
    std::vector<std::string> needed;
    if (baseline.op == "cub-sum")
        needed = {"N"};
    else if (python || baseline.kind == "cudnn" || baseline.kind == "cublas")
        needed = {"B", "H", "S", "D"};
    for (const std::string& name : needed)
        if (!params.contains(name))
            return DescriptorFault{path, fmt::format("lacks the parameter {}", name),
                                   fmt::format("Add \"params\" with a formula for each of {}, for example {{\"{}\": \"{}\"}}.",
                                               joinItems(needed, [](const std::string& n) { return n; }), name, name)};
    return {};
}

/// Parameters that the baseline itself names and that no kind of it reads. Those of `baseline`, which others take over, may be for several
/// kinds.
Fault unknownParameter(const KernelFamily::BaselineFormula& baseline, const std::string& path)
{
    std::vector<std::string> known{"bytes"};
    if (baseline.kind == "roof" || !baseline.fallback.empty())
        known.insert(known.end(), {"flops", "tensor_flops"});
    if (baseline.op == "cub-sum")
        known.emplace_back("N");
    else if (baseline.kind != "copy" && baseline.kind != "roof")
        known.insert(known.end(), {"B", "H", "S", "SK", "D", "CAUSAL", "BF16", "GROUP"});
    for (const auto& [name, formula] : baseline.params)
        if (std::ranges::find(known, name) == known.end())
            return DescriptorFault{fmt::format("{}.params.{}", path, name), fmt::format("is not a parameter of {}", baseline.kind),
                                   "Its parameters: " + joinItems(known, [](const std::string& n) { return n; }) + '.'};
    return {};
}

/// Without a kind nothing is measured.
DescriptorFault noKind(const std::string& path)
{
    return {path + ".kind", "is missing", "Choose one of copy, roof, cublas, cudnn and python."};
}

Fault findFault(const KernelFamily::BaselineFormula& baseline, const std::map<std::string, std::string>& params, const std::string& path)
{
    if (Fault fault = findNeedFault(baseline, params, path))
        return fault;
    return unknownParameter(baseline, path);
}

/// Each baseline of the list has a name of its own, and each what it needs.
Fault baselineFault(const KernelFamily& family)
{
    const KernelFamily::BaselineFormula& first = family.baseline;
    if (!first.kind.empty() || !first.op.empty()) {
        if (Fault fault = findFault(first, first.params, "baseline"))
            return fault;
    } else if (!first.name.empty() || !first.fallback.empty() || (!first.params.empty() && family.baselines.empty())) {
        return noKind("baseline"); // params alone are for those of the list
    }
    std::set<std::string> seen{"all"};
    for (std::size_t i = 0; i < family.baselines.size(); ++i) {
        const std::string& id = family.baselines[i].id;
        if (id.empty() || !seen.insert(id).second)
            return DescriptorFault{fmt::format("baselines[{}]", i), id.empty() ? "has no id" : fmt::format("the id {} is already used", id),
                                   "Give it an id of its own: \"id\": \"sdpa-flash\"."};
        if (family.baselines[i].kind.empty())
            return noKind(fmt::format("baselines[{}]", i));
        const std::map<std::string, std::string>& own = family.baselines[i].params;
        if (Fault fault = findFault(family.baselines[i], own.empty() ? family.baseline.params : own, fmt::format("baselines[{}]", i)))
            return fault;
    }
    return {};
}

/// The loops of an expression have names of their own, beside those in `taken`.
Fault indexFault(const KernelFamily::Reference& reference, const std::set<std::string>& taken)
{
    std::set<std::string> seen;
    for (const auto& [texts, field] : {std::pair(&reference.index, "index"), std::pair(&reference.sum, "sum")})
        for (std::size_t i = 0; i < texts->size(); ++i) {
            const std::string name = (*texts)[i].substr(0, (*texts)[i].find(':'));
            if (taken.contains(name) || !seen.insert(name).second)
                return DescriptorFault{fmt::format("reference.{}[{}]", field, i), fmt::format("the name {} is already used", name),
                                       kOneName};
        }
    return {};
}

/// A variant's constants have new names, or the names of tunables that it does not use.
Fault constantFault(const KernelFamily& family, const Variant& variant, const std::string& path)
{
    for (const auto& [name, value] : variant.constants)
        if (std::ranges::find(family.sizes, name) != family.sizes.end() || family.optionalSizes.contains(name) ||
            findBuffer(family, name) || std::ranges::find(variant.tunables, name) != variant.tunables.end())
            return DescriptorFault{fmt::format("{}.constants.{}", path, name), fmt::format("the name {} is already used", name), kOneName};
    return {};
}

/// Ids make addresses, and an address that looks like a path is taken for one.
Fault idFault(const KernelFamily& family)
{
    const char* hint = "Leave out .json, .cu, .ptx and .cubin.";
    if (kernelPathIn(family.id))
        return DescriptorFault{"id", fmt::format("{} would look like a file", family.id), hint};
    for (std::size_t i = 0; i < family.variants.size(); ++i)
        if (kernelPathIn(family.id + '/' + family.variants[i].id))
            return DescriptorFault{fmt::format("variants[{}].id", i), fmt::format("{} would look like a file", family.variants[i].id),
                                   hint};
    return {};
}

/// Sizes, tunables and buffers share one space of names in formulas.
Fault nameFault(const KernelFamily& family)
{
    std::set<std::string> seen;
    const auto taken = [&](const std::string& name) { return !seen.insert(name).second; };
    for (std::size_t i = 0; i < family.sizes.size(); ++i)
        if (taken(family.sizes[i]))
            return DescriptorFault{fmt::format("sizes[{}]", i), fmt::format("{} is listed twice", family.sizes[i]), kOneName};
    for (const auto& [name, formula] : family.optionalSizes)
        if (taken(name))
            return DescriptorFault{"optional_sizes." + name, fmt::format("the name {} is already used", name), kOneName};
    for (std::size_t i = 0; i < family.tunables.size(); ++i) {
        const Tunable& tunable = family.tunables[i];
        if (taken(tunable.name))
            return DescriptorFault{fmt::format("tunables[{}].name", i), fmt::format("the name {} is already used", tunable.name), kOneName};
        if (std::find(tunable.values.begin(), tunable.values.end(), tunable.defaultValue) == tunable.values.end())
            return DescriptorFault{fmt::format("tunables[{}].default", i), "is not among the values", "Choose one of \"values\"."};
        for (const auto& [value, kind] : tunable.meaning)
            if (std::ranges::none_of(tunable.values, [&, &text = value](const ParamValue& v) {
                    return toText(Params{{"", v}}) == '=' + text;
                }))
                return DescriptorFault{fmt::format("tunables[{}].meaning.{}", i, value), "is not among the values",
                                       "Choose from \"values\"."};
    }
    for (std::size_t i = 0; i < family.buffers.size(); ++i) {
        const KernelFamily::Buffer& buffer = family.buffers[i];
        if (taken(buffer.name))
            return DescriptorFault{fmt::format("buffers[{}].name", i), fmt::format("the name {} is already used", buffer.name), kOneName};
        if ((buffer.fill == Fill::file) != !buffer.file.empty())
            return DescriptorFault{fmt::format("buffers[{}].file", i), "\"file\" and the fill \"file\" need each other",
                                   "Write \"fill\": \"file\", \"file\": \"NAME.npy\"."};
        if (buffer.fill == Fill::file && buffer.role != BufferRole::input)
            return DescriptorFault{fmt::format("buffers[{}].fill", i), "only inputs are filled from a file",
                                   "Leave the fill out: outputs and scratch buffers start unwritten."};
    }
    return indexFault(family.reference, seen);
}

Fault referenceFault(const KernelFamily& family)
{
    const KernelFamily::Reference& reference = family.reference;
    const int kinds = !reference.function.empty() + !reference.expression.empty() + !reference.kernel.empty() + !reference.file.empty() +
                      !reference.python.empty();
    if (kinds > 1)
        return DescriptorFault{"reference", "names several sources of the correct answer",
                               "Keep one of function, expression, kernel, file, python."};
    for (std::size_t i = 0; i < reference.inputs.size(); ++i) {
        const KernelFamily::Buffer* buffer = findBuffer(family, reference.inputs[i]);
        if (!buffer || buffer->role != BufferRole::input)
            return DescriptorFault{fmt::format("reference.inputs[{}]", i), fmt::format("{} is not an input buffer", reference.inputs[i]),
                                   bufferNames(family)};
    }
    if (reference.output.empty() ? kinds > 0 : !findBuffer(family, reference.output))
        return DescriptorFault{reference.output.empty() ? "reference" : "reference.output",
                               reference.output.empty() ? std::string("must name the buffer that is its \"output\"")
                                                        : fmt::format("there is no buffer {}", reference.output),
                               bufferNames(family)};
    if (reference.expression.empty() && !(reference.index.empty() && reference.sum.empty()))
        return DescriptorFault{"reference", "\"index\" and \"sum\" belong to an expression", "Leave them out, or write an \"expression\"."};
    if (!reference.kernel.empty() &&
        std::none_of(family.variants.begin(), family.variants.end(), [&](const Variant& v) { return v.id == reference.kernel; }))
        return DescriptorFault{"reference.kernel", fmt::format("there is no variant {}", reference.kernel),
                               "Variants: " + joinItems(family.variants, [](const Variant& v) { return v.id; }) + '.'};
    return {};
}

Fault launchFault(const KernelFamily& family, const LaunchFormula& launch, const std::string& path)
{
    for (std::size_t i = 0; i < launch.args.size(); ++i) {
        const std::string& arg = launch.args[i].text;
        const std::string& mapped = launch.args[i].map.buffer;
        const auto colon = arg.find(':');
        const std::string where = fmt::format("{}.args[{}]", path, i);
        if (!mapped.empty()) {
            if (!findBuffer(family, mapped))
                return DescriptorFault{where + ".tensor_map", fmt::format("there is no buffer {}", mapped), bufferNames(family)};
            continue;
        }
        if (colon == std::string::npos) {
            if (!findBuffer(family, arg))
                return DescriptorFault{where, fmt::format("there is no buffer {}", arg),
                                       bufferNames(family) + " A scalar is written TYPE:FORMULA, e.g. i32:N."};
            continue;
        }
        const std::string type = arg.substr(0, colon);
        if (!scalarType(type))
            return DescriptorFault{where, fmt::format("\"{}\" is not a scalar type", type), fmt::format("Use {}.", kScalarTypes)};
    }
    return {};
}

/// Targets are architectures that the device table knows, in full: a part of a GPU's name is none.
Fault targetFault(const std::vector<std::string>& targets, const std::string& path)
{
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (const Result<GpuArch> arch = findArch(targets[i]); !arch || arch->target != targets[i])
            return DescriptorFault{fmt::format("{}.targets[{}]", path, i).substr(path.empty() ? 1 : 0),
                                   fmt::format("\"{}\" is not a known architecture", targets[i]),
                                   arch ? fmt::format("Write \"{}\".", arch->target) : arch.error().hint};
    return {};
}

constexpr const char* kOrder = "Variants are listed from the first to the best: name one that comes before it.";

Fault variantFault(const KernelFamily& family, std::size_t index)
{
    const Variant& variant = family.variants[index];
    const std::string path = fmt::format("variants[{}]", index);
    const auto before = [&](const std::string& id) {
        return std::any_of(family.variants.begin(), family.variants.begin() + static_cast<std::ptrdiff_t>(index),
                           [&](const Variant& v) { return v.id == id; });
    };
    if (before(variant.id))
        return DescriptorFault{path + ".id", fmt::format("there are two variants {}", variant.id), "Rename one of them."};
    if (!variant.fixes.empty() && !before(variant.fixes))
        return DescriptorFault{path + ".fixes", fmt::format("no variant {} comes before it", variant.fixes), kOrder};
    for (const auto& [id, kind] : variant.changes)
        if (!before(id))
            return DescriptorFault{path + ".changes." + id, fmt::format("no variant {} comes before it", id), kOrder};
    if (Fault fault = constantFault(family, variant, path))
        return fault;
    if (Fault fault = targetFault(variant.targets, path))
        return fault;
    for (std::size_t i = 0; i < variant.tunables.size(); ++i)
        if (std::none_of(family.tunables.begin(), family.tunables.end(), [&](const Tunable& t) { return t.name == variant.tunables[i]; }))
            return DescriptorFault{fmt::format("{}.tunables[{}]", path, i), fmt::format("there is no tunable {}", variant.tunables[i]),
                                   "Tunables: " + joinItems(family.tunables, [](const Tunable& t) { return t.name; }) + '.'};
    for (std::size_t i = 0; i < variant.options.size(); ++i)
        if (variant.options[i].find('{') == std::string::npos) // the others are judged with their values
            if (const std::optional<OptionFault> fault = compilerOptionFault(variant.options[i]))
                return DescriptorFault{fmt::format("{}.options[{}]", path, i), fault->message, fault->hint};
    for (std::size_t i = 0; i < variant.launches.size(); ++i)
        if (Fault fault = launchFault(family, variant.launches[i], fmt::format("{}.launches[{}]", path, i)))
            return fault;
    return {};
}

} // namespace

std::optional<DescriptorFault> structureFault(const KernelFamily& family)
{
    if (Fault fault = idFault(family))
        return fault;
    if (Fault fault = nameFault(family))
        return fault;
    if (Fault fault = targetFault(family.targets, {}))
        return fault;
    if (Fault fault = baselineFault(family))
        return fault;
    if (Fault fault = referenceFault(family))
        return fault;
    if (Fault fault = findPlacedFault(family))
        return fault;
    for (std::size_t i = 0; i < family.variants.size(); ++i)
        if (Fault fault = variantFault(family, i))
            return fault;
    return {};
}

} // namespace kl::inline kernels
