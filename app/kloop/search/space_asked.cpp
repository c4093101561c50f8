// SPDX-License-Identifier: MIT
#include "app/kloop/search/space_asked.h"

#include "app/kloop/common/program.h"
#include "kernels/user_kernel.h"
#include "kernels/variant_choice.h"

namespace kl {

Result<SpaceAsked> askedSpace(Program& program, const Options& options, const std::function<Chip()>& chip)
{
    const Result<Params> problem = oneProblem(options);
    const Result<std::string> plain = program.plainAddress(options.first);
    if (!problem || !plain)
        return problem ? plain.error() : problem.error();
    Result<Address> address = parseAddress(*plain);
    if (!address)
        return address.error();
    if (const std::optional<KernelPath> path = kernelPathIn(options.first); path && (path->rest.empty() || path->rest.front() == '@'))
        address->variant.clear(); // a path alone means the variant that has tunables, not the first
    const Result<const Catalog*> catalog = program.catalog();
    if (!catalog)
        return catalog.error();
    const Result<const KernelFamily*> family = (*catalog)->family(address->family);
    if (!family)
        return family.error();
    const Result<const Variant*> variant =
        tunedVariant(**family, address->variant, *problem, address->variant.empty() && choosesByItself(**family) ? chip() : Chip{});
    if (!variant)
        return variant.error();
    return SpaceAsked{*family, *variant, address->tunables, *problem, options.space.minOccupancy};
}

} // namespace kl
