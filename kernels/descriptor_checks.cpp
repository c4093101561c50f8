// SPDX-License-Identifier: MIT
#include "kernels/descriptor_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kl {
namespace {

using Fault = std::optional<DescriptorFault>;

template <class Items, class Name> std::string listed(const Items& items, Name name)
{
    std::string text;
    for (const auto& item : items)
        text += (text.empty() ? "" : ", ") + name(item);
    return text.empty() ? "none" : text;
}

std::string bufferNames(const KernelFamily& family)
{
    return "Buffers: " + listed(family.buffers, [](const KernelFamily::Buffer& b) { return b.name; }) + '.';
}

const KernelFamily::Buffer* bufferOf(const KernelFamily& family, const std::string& name)
{
    const auto found = std::find_if(family.buffers.begin(), family.buffers.end(), [&](const auto& b) { return b.name == name; });
    return found == family.buffers.end() ? nullptr : &*found;
}

/// Each baseline of the list has a name of its own.
Fault baselineFault(const KernelFamily& family)
{
    std::set<std::string> seen{"all"};
    for (std::size_t i = 0; i < family.baselines.size(); ++i) {
        const std::string& id = family.baselines[i].id;
        if (id.empty() || !seen.insert(id).second)
            return DescriptorFault{fmt::format("baselines[{}]", i), id.empty() ? "has no id" : fmt::format("the id {} is taken", id),
                                   "Give it an id of its own: \"id\": \"sdpa-flash\"."};
    }
    return {};
}

/// Sizes, tunables and buffers share one space of names in formulas.
Fault nameFault(const KernelFamily& family)
{
    std::set<std::string> seen;
    const auto taken = [&](const std::string& name) { return !seen.insert(name).second; };
    for (std::size_t i = 0; i < family.sizes.size(); ++i)
        if (taken(family.sizes[i]))
            return DescriptorFault{fmt::format("sizes[{}]", i), fmt::format("{} is named twice", family.sizes[i]), {}};
    for (const auto& [name, formula] : family.optionalSizes)
        if (taken(name))
            return DescriptorFault{"optional_sizes." + name, fmt::format("the name {} is taken", name), {}};
    for (std::size_t i = 0; i < family.tunables.size(); ++i) {
        const Tunable& tunable = family.tunables[i];
        if (taken(tunable.name))
            return DescriptorFault{fmt::format("tunables[{}].name", i), fmt::format("the name {} is taken", tunable.name), {}};
        if (std::find(tunable.values.begin(), tunable.values.end(), tunable.defaultValue) == tunable.values.end())
            return DescriptorFault{fmt::format("tunables[{}].default", i), "is not among the values", "Choose one of \"values\"."};
        for (const auto& [value, kind] : tunable.meaning)
            if (std::ranges::none_of(tunable.values, [&, &text = value](const ParamValue& v) {
                    return toText(Params{{"", v}}) == '=' + text;
                }))
                return DescriptorFault{fmt::format("tunables[{}].meaning.{}", i, value), "is not among the values",
                                       "Choose of \"values\"."};
    }
    for (std::size_t i = 0; i < family.buffers.size(); ++i) {
        const KernelFamily::Buffer& buffer = family.buffers[i];
        if (taken(buffer.name))
            return DescriptorFault{fmt::format("buffers[{}].name", i), fmt::format("the name {} is taken", buffer.name), {}};
        if ((buffer.fill == Fill::file) != !buffer.file.empty())
            return DescriptorFault{fmt::format("buffers[{}].file", i), "a file and the fill \"file\" go together",
                                   "Write \"fill\": \"file\", \"file\": \"NAME.npy\"."};
        if (buffer.fill == Fill::file && buffer.role != BufferRole::input)
            return DescriptorFault{fmt::format("buffers[{}].fill", i), "only inputs are filled from a file", {}};
    }
    return {};
}

Fault referenceFault(const KernelFamily& family)
{
    const KernelFamily::Reference& reference = family.reference;
    const int kinds = !reference.function.empty() + !reference.expression.empty() + !reference.kernel.empty() + !reference.file.empty() +
                      !reference.python.empty();
    if (kinds > 1)
        return DescriptorFault{"reference", "names several sources of the right answer",
                               "Keep one of function, expression, kernel, file, python."};
    for (std::size_t i = 0; i < reference.inputs.size(); ++i) {
        const KernelFamily::Buffer* buffer = bufferOf(family, reference.inputs[i]);
        if (!buffer || buffer->role != BufferRole::input)
            return DescriptorFault{fmt::format("reference.inputs[{}]", i), fmt::format("{} is no input buffer", reference.inputs[i]),
                                   bufferNames(family)};
    }
    if (reference.output.empty() ? kinds > 0 : !bufferOf(family, reference.output))
        return DescriptorFault{reference.output.empty() ? "reference" : "reference.output",
                               reference.output.empty() ? std::string("must say which buffer is its \"output\"")
                                                        : fmt::format("there is no buffer {}", reference.output),
                               bufferNames(family)};
    if (reference.expression.empty() && !(reference.index.empty() && reference.sum.empty()))
        return DescriptorFault{"reference", "\"index\" and \"sum\" belong to an expression", {}};
    if (!reference.kernel.empty() &&
        std::none_of(family.variants.begin(), family.variants.end(), [&](const Variant& v) { return v.id == reference.kernel; }))
        return DescriptorFault{"reference.kernel", fmt::format("there is no variant {}", reference.kernel),
                               "Variants: " + listed(family.variants, [](const Variant& v) { return v.id; }) + '.'};
    return {};
}

Fault launchFault(const KernelFamily& family, const LaunchFormula& launch, const std::string& path)
{
    for (std::size_t i = 0; i < launch.args.size(); ++i) {
        const std::string& arg = launch.args[i];
        const auto colon = arg.find(':');
        const std::string where = fmt::format("{}.args[{}]", path, i);
        if (colon == std::string::npos) {
            if (!bufferOf(family, arg))
                return DescriptorFault{where, fmt::format("there is no buffer {}", arg),
                                       bufferNames(family) + " A scalar is written TYPE:FORMULA, as i32:N."};
            continue;
        }
        const std::string type = arg.substr(0, colon);
        if (type != "i32" && type != "u32" && type != "f32" && type != "f64")
            return DescriptorFault{where, fmt::format("{} is no type of a scalar", type), "Use i32, u32, f32 or f64."};
    }
    return {};
}

Fault variantFault(const KernelFamily& family, std::size_t index)
{
    const Variant& variant = family.variants[index];
    const std::string path = fmt::format("variants[{}]", index);
    const auto before = [&](const std::string& id) {
        return std::any_of(family.variants.begin(), family.variants.begin() + static_cast<std::ptrdiff_t>(index),
                           [&](const Variant& v) { return v.id == id; });
    };
    if (before(variant.id))
        return DescriptorFault{path + ".id", fmt::format("there are two variants {}", variant.id), {}};
    if (!variant.mends.empty() && !before(variant.mends))
        return DescriptorFault{path + ".mends", fmt::format("no variant {} stands above it", variant.mends), {}};
    for (const auto& [id, kind] : variant.changes)
        if (!before(id))
            return DescriptorFault{path + ".changes." + id, fmt::format("no variant {} stands above it", id), {}};
    for (std::size_t i = 0; i < variant.tunables.size(); ++i)
        if (std::none_of(family.tunables.begin(), family.tunables.end(), [&](const Tunable& t) { return t.name == variant.tunables[i]; }))
            return DescriptorFault{fmt::format("{}.tunables[{}]", path, i), fmt::format("there is no tunable {}", variant.tunables[i]),
                                   "Tunables: " + listed(family.tunables, [](const Tunable& t) { return t.name; }) + '.'};
    for (std::size_t i = 0; i < variant.launches.size(); ++i)
        if (Fault fault = launchFault(family, variant.launches[i], fmt::format("{}.launches[{}]", path, i)))
            return fault;
    return {};
}

} // namespace

std::optional<DescriptorFault> structureFault(const KernelFamily& family)
{
    if (Fault fault = nameFault(family))
        return fault;
    if (Fault fault = baselineFault(family))
        return fault;
    if (Fault fault = referenceFault(family))
        return fault;
    for (std::size_t i = 0; i < family.variants.size(); ++i)
        if (Fault fault = variantFault(family, i))
            return fault;
    return {};
}

} // namespace kl
