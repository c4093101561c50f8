// SPDX-License-Identifier: MIT
#include "app/kloop/common/stored_run.h"

#include <fmt/format.h>

namespace kl {

Result<RunId> resolveRun(Program& program, const std::string& text, const Params& problem, WhichRuns which)
{
    constexpr std::string_view kPrefix = "run:";
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    if (text.starts_with(kPrefix))
        return (*store)->runStarting(text.substr(kPrefix.size()));
    const Result<Address> known = program.kernel(text);
    const Result<Address> address = known ? known : parseAddress(text); // runs of programs and of other tools have addresses, too
    if (!address)
        return known.error();
    RunQuery query;
    query.kernel = toText(*address);
    query.profilesOnly = which == WhichRuns::profiles;
    const Result<std::vector<RunSummary>> runs = (*store)->runs(query);
    if (!runs)
        return runs.error();
    for (const RunSummary& run : *runs)
        if (run.kernel == query.kernel && (problem.empty() || run.problem == toText(problem)))
            return run.id;
    if (!known)
        return known.error();
    const bool profiles = which == WhichRuns::profiles;
    return Error{ErrorCode::notFound,
                 fmt::format("There is no {} of {}{} in the database.", profiles ? "profile" : "run", text,
                             problem.empty() ? "" : " on " + toText(problem)),
                 fmt::format("Measure it first: kloop {} {}.", profiles ? "profile" : "run", text),
                 text,
                 {}};
}

} // namespace kl
