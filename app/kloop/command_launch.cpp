// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/measured.h"
#include "app/kloop/program.h"
#include "core/codec/run_codec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {

Result<int> commandLaunch(Program& program, const Options& options)
{
    if (options.on == "sample")
        return Error{ErrorCode::usage, "A recording cannot be launched.", "Leave --on out; this needs a GPU.", "--on", {}};
    const Result<const Catalogue*> catalogue = program.catalogue();
    if (!catalogue)
        return catalogue.error();
    const Result<Address> address = program.kernel(options.first);
    if (!address)
        return address.error();
    const Result<Params> problem = oneProblem(options);
    if (!problem)
        return problem.error();
    Result<WorkSpec> work = (*catalogue)->work(*address, *problem);
    if (!work)
        return work.error();
    const Result<RunAnswer> answer = launch(program.device(), {std::move(*work), options.profile.repeat}, program.job());
    if (!answer)
        return answer.error();
    if (answer->status != ResultStatus::ok)
        return Error{ErrorCode::kernelFailed, answer->reason, {}, toText(*address), {}};
    Json entries = Json::array();
    for (const LaunchFacts& one : answer->launches)
        entries.push_back({{"entry", one.entry}, {"grid_blocks", one.gridBlocks}, {"block_threads", one.blockThreads}});
    if (!program.printed(
            {{"schema", "kernelloop.launch/1"}, {"kernel", toText(*address)}, {"repeat", options.profile.repeat}, {"launches", entries}}))
        for (const LaunchFacts& one : answer->launches)
            fmt::print("{}  {} blocks of {} threads\n", one.entry, one.gridBlocks, one.blockThreads);
    return 0;
}

} // namespace kl
