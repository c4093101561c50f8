// SPDX-License-Identifier: MIT
#include "sessions/store/spool.h"
#include "sessions/store/sqlite.h"

#include <fmt/format.h>

namespace kl::inline store {
namespace {

/// Errors after which the file may be of use another time.
bool mayPass(const Error& error)
{
    return error.code == ErrorCode::environment;
}

} // namespace

Emptied emptySpool(Store& store)
{
    Emptied emptied;
    const Spool spool(store.location());
    const sqlite::LockWait atOnce(std::chrono::milliseconds(0));
    for (const std::filesystem::path& file : spool.files()) {
        const Result<Unstored> what = spool.read(file);
        if (!what && what.error().code == ErrorCode::notFound)
            continue;
        if (!what) {
            emptied.troubles.push_back(fmt::format(
                "{} contains a measurement that was not stored, but is damaged: move it elsewhere or delete it.", file.string()));
            continue;
        }
        const Status stored = storeAll(store, *what);
        if (!stored && mayPass(stored.error()))
            return emptied;
        const bool sessionMovedOn =
            !stored && (stored.error().code == ErrorCode::changedElsewhere || stored.error().code == ErrorCode::notFound);
        if (!stored && !sessionMovedOn) {
            emptied.troubles.push_back(
                fmt::format("{} could not be stored and was left as it is: {}", file.string(), stored.error().message));
            continue;
        }
        if (sessionMovedOn)
            emptied.troubles.emplace_back("A step was not added to its session because the session has moved on; its runs are stored.");
        Spool::remove(file);
        ++emptied.stored;
    }
    return emptied;
}

std::string composeSentence(const Emptied& emptied)
{
    std::string text;
    if (emptied.stored > 0)
        text = emptied.stored == 1 ? std::string("A measurement that could not be stored earlier is stored now.")
                                   : fmt::format("{} measurements that could not be stored earlier are stored now.", emptied.stored);
    for (const std::string& trouble : emptied.troubles)
        text += (text.empty() ? "" : " ") + trouble;
    return text;
}

} // namespace kl::inline store
