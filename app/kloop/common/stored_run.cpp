// SPDX-License-Identifier: MIT
#include "app/kloop/common/stored_run.h"

#include "core/base/try.h"

#include <fmt/format.h>

namespace kl {

Result<RunId> resolveRun(Program& program, const std::string& text, const Params& problem, WhichRuns which)
{
    constexpr std::string_view kPrefix = "run:";
    KL_ASSIGN(auto* store, program.store());
    if (text.starts_with(kPrefix))
        return store->runStarting(text.substr(kPrefix.size()));
    const Result<Address> known = program.kernel(text);
    const Result<Address> address = known ? known : parseAddress(text); // runs of programs and of other tools have addresses, too
    if (!address)
        return known.error();
    RunQuery query;
    query.kernel = toText(*address);
    query.profilesOnly = which == WhichRuns::profiles;
    KL_ASSIGN(const std::vector<RunSummary> runs, store->runs(query));
    for (const RunSummary& run : runs)
        if (run.kernel == query.kernel && (problem.empty() || run.problem == toText(problem)))
            return run.id;
    if (!known)
        return known.error();
    const bool profiles = which == WhichRuns::profiles;
    return Error{.code = ErrorCode::notFound,
                 .message = fmt::format("There is no {} of {}{} in the database.", profiles ? "profile" : "run", text,
                                        problem.empty() ? "" : " on " + toText(problem)),
                 .hint = fmt::format("Measure it first: kloop {} {}.", profiles ? "profile" : "run", text),
                 .where = text};
}

} // namespace kl
