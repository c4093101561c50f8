// SPDX-License-Identifier: MIT
#include "sessions/import/store_runs.h"

#include "core/base/parallel.h"

#include <set>

namespace kl {

Result<std::vector<bool>> storeRuns(Store& store, const std::vector<RunRecord>& runs)
{
    std::set<std::string> seen;
    std::vector<bool> fresh;
    std::vector<const RunRecord*> missing;
    for (const RunRecord& run : runs) {
        fresh.push_back(seen.insert(run.id.text).second && !store.summary(run.id));
        if (fresh.back())
            missing.push_back(&run);
    }
    std::vector<Status> saved(missing.size());
    inParallel(missing.size(), [&](std::size_t i) { // what a row is made of takes longer than writing it, one after the other, does
        if (missing[i]->source != Source::live) {
            saved[i] = store.saveRun(*missing[i]);
            return;
        }
        RunRecord run = *missing[i];
        run.source = Source::import;
        saved[i] = store.saveRun(run);
    });
    for (const Status& status : saved)
        if (!status)
            return status.error();
    return fresh;
}

} // namespace kl
