// SPDX-License-Identifier: MIT
#include "kernels/catalog.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "kernels/descriptor_parser.h"
#include "kernels/model/expression.h"
#include "kernels/variant_choice.h"
#include "kernels/work_builder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

template <class Items, class Name> std::string joinNames(const Items& items, Name name)
{
    std::string text;
    for (const auto& item : items)
        text += (text.empty() ? "" : ", ") + name(item);
    return text;
}

} // namespace

Catalog::Catalog(std::vector<KernelFamily> families)
{
    for (KernelFamily& family : families)
        (family.isProgram() ? programs_ : families_).push_back(std::move(family));
}

Result<Catalog> Catalog::loadEmbedded()
{
    std::vector<KernelFamily> families;
    for (const std::string& path : resourcesUnder("kernels/families/")) {
        if (!path.ends_with(".json"))
            continue;
        KL_ASSIGN(std::string_view text, resource(path));
        KL_ASSIGN(KernelFamily family, parseDescriptor(text, path, DescriptorChecks::none));
        const std::string folder = path.substr(0, path.rfind('/') + 1);
        KL_ASSIGN(const std::string_view source, resource(folder + family.sourcePath));
        family.source = source;
        for (Variant& variant : family.variants) {
            if (variant.sourcePath.empty())
                continue;
            KL_ASSIGN(const std::string_view own, resource(folder + variant.sourcePath));
            variant.source = own;
        }
        families.push_back(std::move(family));
    }
    return Catalog(std::move(families));
}

Status Catalog::add(KernelFamily family)
{
    for (auto* list : {&families_, &programs_})
        for (KernelFamily& known : *list) {
            if (known.id != family.id)
                continue;
            if (known.origin.empty())
                return Error{.code = ErrorCode::badInput,
                             .message = fmt::format("{}: the id \"{}\" belongs to a built-in kernel.", family.origin.descriptor, family.id),
                             .hint = "Choose another \"id\" in the kernel.json.",
                             .where = family.origin.descriptor};
            if (known.origin.descriptor != family.origin.descriptor)
                return Error{.code = ErrorCode::badInput,
                             .message = fmt::format("{}: the id \"{}\" is already used by {}.", family.origin.descriptor, family.id,
                                                    known.origin.descriptor),
                             .hint = "Choose another \"id\" in one of them, or remove the other.",
                             .where = family.origin.descriptor}
                    .leadTo({StepId::removeKernel, {{StepArgument::kernel, family.id}}});
            known = std::move(family);
            return {};
        }
    (family.isProgram() ? programs_ : families_).push_back(std::move(family));
    return {};
}

Result<const KernelFamily*> Catalog::family(const std::string& id) const
{
    for (const auto* list : {&families_, &programs_})
        for (const KernelFamily& family : *list)
            if (family.id == id)
                return &family;
    return Error{.code = ErrorCode::notFound,
                 .message = fmt::format("Unknown kernel: \"{}\".", id),
                 .hint = "Known kernels: " + joinNames(families_, [](const KernelFamily& f) { return f.id; }) + ".",
                 .where = id};
}

Result<const Variant*> Catalog::variant(const Address& address) const
{
    KL_ASSIGN(const KernelFamily* found, family(address.family));
    for (const Variant& variant : found->variants)
        if (variant.id == address.variant)
            return &variant;
    return Error{.code = ErrorCode::notFound,
                 .message = fmt::format("{} has no variant \"{}\".", address.family, address.variant),
                 .hint = "Its variants: " + joinNames(found->variants, [](const Variant& v) { return v.id; }) + ".",
                 .where = toText(address)};
}

std::optional<std::string> Catalog::findExpectedClass(const Address& address, const Params& problem, const Chip& chip) const
{
    const Result<const Variant*> found = variant(address);
    if (!found || !(*found)->expected)
        return {};
    Scope scope;
    for (const auto& [name, value] : problem)
        if (const auto* number = std::get_if<std::int64_t>(&value))
            scope[name] = static_cast<double>(*number);
    addChip(scope, chip);
    const Result<double> shows = evaluate((*found)->expectedWhen, scope);
    return shows && *shows != 0 ? (*found)->expected : std::nullopt;
}

std::vector<Address> Catalog::addresses() const
{
    std::vector<Address> all;
    for (const KernelFamily& family : families_)
        for (const Variant& variant : family.variants)
            all.push_back({family.id, variant.id, {}});
    return all;
}

std::vector<Address> Catalog::fixesFor(const Address& address, const std::optional<Chip>& chip, const std::optional<Params>& problem) const
{
    std::vector<Address> twins;
    const Result<const KernelFamily*> found = family(address.family);
    if (!found || address.variant.empty())
        return twins;
    for (const Variant& variant : (*found)->variants) {
        if (variant.fixes != address.variant || (chip && !runsOn(variant.targets, *chip)))
            continue;
        if (chip && problem)
            if (const Result<bool> fits = suits(**found, variant, *problem, *chip); fits && !*fits)
                continue;
        twins.push_back({address.family, variant.id, {}});
    }
    return twins;
}

Result<WorkSpec> Catalog::work(const Address& address, const Params& problem, const Chip& chip) const
{
    KL_ASSIGN(const KernelFamily* owner, family(address.family));
    KL_ASSIGN(const Variant* found, variant(address));
    return buildWork(*owner, *found, address.tunables, problem, chip);
}

Result<WorkIdentity> Catalog::identify(const Address& address, const Params& problem, const Chip& chip) const
{
    KL_ASSIGN(const KernelFamily* owner, family(address.family));
    if (!owner->isProgram()) {
        KL_ASSIGN(const WorkSpec built, work(address, problem, chip));
        return WorkIdentity{built.problem, built.sourceHash};
    }
    KL_ASSIGN([[maybe_unused]] const Variant* known, variant(address));
    Params full = owner->problems.front();
    for (const auto& [name, value] : problem) {
        const std::int64_t* number = numberIn(problem, name);
        if (!full.contains(name) || number == nullptr || *number < 0)
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{} is not a size of {}.", toText(Params{{name, value}}), owner->id),
                         .hint = fmt::format("Its sizes: {}.", joinNames(owner->sizes, [](const std::string& size) { return size; })),
                         .where = owner->id};
        full[name] = value;
    }
    return WorkIdentity{toText(full), owner->programHash};
}

Result<std::vector<WorkSpec>> Catalog::suite(const Address& address, const Chip& chip) const
{
    KL_ASSIGN(const KernelFamily* owner, family(address.family));
    std::vector<WorkSpec> works;
    for (const Params& problem : owner->suite) {
        KL_ASSIGN(WorkSpec one, work(address, problem, chip));
        works.push_back(std::move(one));
    }
    return works;
}

} // namespace kl::inline kernels
