// SPDX-License-Identifier: MIT
#include "app/kloop/search/requested_space.h"

#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "core/base/try.h"
#include "kernels/user_kernel.h"
#include "kernels/variant_choice.h"

namespace kl::cli {

void addSpaceProblem(CLI::App& app, SpaceOptions& options)
{
    addProblems(app, options.problems, "Sizes, e.g. B=2,H=8,S=512,D=64; missing ones are those of the default problem");
}

void addSpaceOptions(CLI::App& app, SpaceOptions& options, std::string& arch)
{
    app.add_option("--arch", arch, "Architecture or GPU, e.g. sm_89, sm_90a or L40S")->capture_default_str();
    addSpaceProblem(app, options);
    app.add_option("--min-occupancy", options.minOccupancy, "Minimum occupancy in percent (default: the descriptor's)")
        ->check(CLI::Range(0.0, 100.0))
        ->check(finiteNumber);
}

void addJobs(CLI::App& app, int& jobs)
{
    app.add_option("-j,--jobs", jobs, "Number of compiler threads (default: one per processor)")->check(CLI::Range(1, 1024));
}

Result<RequestedSpace> makeRequestedSpace(Program& program, const SpaceOptions& options, const std::function<Chip()>& chip)
{
    const Result<Params> problem = oneProblem(options.problems);
    const Result<std::string> plain = program.plainAddress(options.kernel);
    if (!problem || !plain)
        return problem ? plain.error() : problem.error();
    KL_ASSIGN(Address address, parseAddress(*plain));
    if (const std::optional<KernelPath> path = kernelPathIn(options.kernel); path && (path->rest.empty() || path->rest.front() == '@'))
        address.variant.clear(); // a path alone means the variant that has tunables, not the first
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    KL_ASSIGN(const KernelFamily* family, catalog->family(address.family));
    KL_ASSIGN(const Variant* variant,
              findTunedVariant(*family, address.variant, *problem, address.variant.empty() && choosesByItself(*family) ? chip() : Chip{}));
    return RequestedSpace{family, variant, address.tunables, *problem, options.minOccupancy};
}

} // namespace kl::cli
