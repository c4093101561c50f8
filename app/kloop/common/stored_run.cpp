// SPDX-License-Identifier: MIT
#include "app/kloop/common/stored_run.h"

#include "core/base/try.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::cli {
namespace {

constexpr std::string_view kPrefix = "run:";

/// Whether the text can only be the start of a run's id: eight or more hexadecimal digits and dashes, one of them a decimal digit.
bool startsLikeAnId(const std::string& text)
{
    return text.size() >= 8 && text.find_first_not_of("0123456789abcdef-") == std::string::npos &&
           text.find_first_of("0123456789") != std::string::npos;
}

struct Named {
    std::string address; ///< canonical
    Result<Address> known;
    std::vector<RunSummary> runs; ///< newest first
};

Result<Named> findNamedRuns(Program& program, const std::string& text, WhichRuns which)
{
    KL_ASSIGN(auto* store, program.store());
    Result<Address> known = program.kernel(text);
    const Result<Address> address = known ? known : parseAddress(text); // runs of programs and of other tools have addresses, too
    if (!address)
        return known.error();
    RunQuery query;
    query.kernel = toText(*address);
    query.profilesOnly = which == WhichRuns::profiles;
    KL_ASSIGN(std::vector<RunSummary> runs, store->runs(query));
    std::erase_if(runs, [&](const RunSummary& run) { return run.kernel != query.kernel; });
    return Named{query.kernel, std::move(known), std::move(runs)};
}

const RunSummary* newestOn(const std::vector<RunSummary>& runs, const std::string& problem)
{
    const auto found = std::ranges::find(runs, problem, &RunSummary::problem);
    return found == runs.end() ? nullptr : &*found;
}

/// The problem whose newer side is the newest: runs are sorted, so that the first match of either list decides.
std::string findSharedProblem(const std::vector<RunSummary>& a, const std::vector<RunSummary>& b)
{
    const RunSummary* best = nullptr;
    for (const auto& [own, other] : {std::pair(&a, &b), std::pair(&b, &a)})
        for (const RunSummary& run : *own)
            if (newestOn(*other, run.problem)) {
                if (!best || run.startedAt > best->startedAt)
                    best = &run;
                break;
            }
    return best ? best->problem : std::string();
}

} // namespace

Result<RunId> findRunById(const Store& store, const std::string& id, const std::string& text)
{
    if (id.empty())
        return Error{.code = ErrorCode::usage,
                     .message = fmt::format("\"{}\" has no id of a run.", text),
                     .hint = "Give run:ID, with an id that a run prints, or the start of it.",
                     .where = text};
    return store.runStarting(id);
}

Result<RunId> resolveRun(Program& program, const std::string& text, const Params& problem, WhichRuns which, std::string_view accepted)
{
    const bool prefixed = text.starts_with(kPrefix);
    if (prefixed || startsLikeAnId(text)) {
        KL_ASSIGN(auto* store, program.store());
        return findRunById(*store, prefixed ? text.substr(kPrefix.size()) : text, text);
    }
    KL_ASSIGN(const Named named, findNamedRuns(program, text, which));
    if (problem.empty() && !named.runs.empty())
        return named.runs.front().id;
    if (const RunSummary* run = newestOn(named.runs, toText(problem)))
        return run->id;
    if (!named.known) {
        Error error = named.known.error();
        if (error.code == ErrorCode::notFound)
            error.hint = fmt::format("Give {}. {}", accepted, error.hint);
        return error;
    }
    const bool profiles = which == WhichRuns::profiles;
    return Error{.code = ErrorCode::notFound,
                 .message = fmt::format("There is no {} of {}{} in the database.", profiles ? "profile" : "run", text,
                                        problem.empty() ? "" : " at " + toText(problem)),
                 .hint = "Measure it first.",
                 .where = text}
        .leadTo({profiles ? StepId::profile : StepId::run, {{StepArgument::kernel, text}, {StepArgument::problem, toText(problem)}}});
}

Result<std::pair<RunId, RunId>> resolvePair(Program& program, const std::string& a, const std::string& b, const Params& problem)
{
    Params size = problem;
    const bool named[] = {!a.starts_with(kPrefix), !b.starts_with(kPrefix)};
    if (size.empty() && named[0] && named[1]) {
        KL_ASSIGN(const Named left, findNamedRuns(program, a, WhichRuns::all));
        KL_ASSIGN(const Named right, findNamedRuns(program, b, WhichRuns::all));
        if (const std::string shared = findSharedProblem(left.runs, right.runs); !shared.empty()) {
            KL_ASSIGN(size, parseParams(shared));
        }
    } else if (size.empty() && named[0] != named[1]) {
        KL_ASSIGN(const RunId given, resolveRun(program, named[0] ? b : a, {}));
        KL_ASSIGN(auto* store, program.store());
        KL_ASSIGN(const RunRecord run, store->runWithoutCode(given));
        KL_ASSIGN(const Named other, findNamedRuns(program, named[0] ? a : b, WhichRuns::all));
        if (newestOn(other.runs, toText(run.problem)))
            size = run.problem;
    }
    KL_ASSIGN(const RunId first, resolveRun(program, a, size));
    KL_ASSIGN(const RunId second, resolveRun(program, b, size));
    return std::pair(first, second);
}

} // namespace kl::cli
