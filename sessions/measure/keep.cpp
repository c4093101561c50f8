// SPDX-License-Identifier: MIT
#include "sessions/measure/keep.h"

#include "core/base/leftovers.h"
#include "sessions/store/spool.h"
#include "sessions/store/sqlite.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace kl::inline measure {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// At first no longer than is worth a message; then in short parts, since the store is blocked while it waits.
constexpr milliseconds kFirstWait{1000};
constexpr milliseconds kPartOfWait{200};
constexpr milliseconds kBetweenWaits{50};
constexpr milliseconds kLongestWait{30'000};

Status storeWithin(Store& store, const Unstored& what, milliseconds most)
{
    const sqlite::LockWait limit(most);
    return storeAll(store, what);
}

Status waitForOthers(Store& store, const Unstored& what, const Job& job, Status failed)
{
    const auto begin = Clock::now();
    while (!failed && sqlite::isBusy(failed.error()) && !job.stop.stop_requested() && Clock::now() - begin < kLongestWait) {
        std::this_thread::sleep_for(kBetweenWaits);
        job.report("waiting for the database", std::chrono::duration<double>(Clock::now() - begin).count());
        failed = storeWithin(store, what, kPartOfWait);
    }
    return failed;
}

void tell(const Job& job, const std::string& text)
{
    if (job.notice)
        job.notice(text);
}

Warning makeNotStoredWarning(const Job& job, const std::string& text)
{
    tell(job, text);
    return {"not-stored", text};
}

} // namespace

std::optional<Warning> keep(Store& store, const Unstored& what, const Job& job)
{
    const Spool spool(store.location());
    std::optional<Finishing> finishing(std::in_place); // until it is on disk somewhere
    const Status saved = storeWithin(store, what, kFirstWait);
    if (saved) {
        if (!store.readOnly() && !spool.files().empty()) // a window stays open for days
            static_cast<void>(emptySpool(store));
        return {};
    }
    const std::string why = saved.error().message;
    if (store.readOnly() && store.location().starts_with(':')) // the sample: nothing can be opened later
        return makeNotStoredWarning(job, "Not stored: " + why);
    const Result<std::filesystem::path> file = spool.keep(what);
    finishing.reset();
    if (!file)
        return makeNotStoredWarning(job, fmt::format("Not stored; this output is the only copy: {} {}", why, file.error().message));
    if (sqlite::isBusy(saved.error())) {
        tell(job, fmt::format("Another program is writing to the database: waiting up to {} s. Until then the measurement is in {}.",
                              kLongestWait.count() / 1000, file->string()));
        if (waitForOthers(store, what, job, saved)) {
            Spool::remove(*file);
            return {};
        }
    }
    return makeNotStoredWarning(
        job, fmt::format("Not stored: {} The measurement is in {} and will be stored when the database is next opened{}.", why,
                         file->string(), store.readOnly() ? " for writing" : ""));
}

Status addKept(Store& store, const SessionId& session)
{
    const Spool spool(store.location());
    if (store.readOnly() || spool.files().empty())
        return {};
    static_cast<void>(emptySpool(store));
    for (const std::filesystem::path& file : spool.files()) {
        const Result<Unstored> what = spool.read(file);
        if (what && std::ranges::any_of(what->events, [&](const auto& kept) { return kept.first == session; }))
            return Error{.code = ErrorCode::environment,
                         .message = fmt::format("The latest step of this session is not stored yet: it is in {}.", file.string()),
                         .hint = "Try again once the database is writable; the step is added then.",
                         .where = "session:" + session.text};
    }
    return {};
}

void keep(Store& store, RunRecord& run, const Job& job)
{
    Unstored what;
    what.runs.push_back(run);
    if (std::optional<Warning> warning = keep(store, what, job))
        run.warnings.push_back(std::move(*warning));
}

void keep(Store& store, Comparison& comparison, const Job& job)
{
    Unstored what;
    what.comparisons.push_back(comparison);
    if (std::optional<Warning> warning = keep(store, what, job))
        comparison.warnings.push_back(std::move(*warning));
}

} // namespace kl::inline measure
