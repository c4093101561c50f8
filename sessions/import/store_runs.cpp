// SPDX-License-Identifier: MIT
#include "sessions/import/store_runs.h"

#include "core/base/parallel.h"
#include "core/base/try.h"
#include "core/sass/disassemble.h"

#include <deque>
#include <set>

namespace kl::inline imports {

Result<std::vector<bool>> storeRuns(Store& store, const std::vector<const RunRecord*>& runs)
{
    std::set<std::string> seen;
    std::vector<bool> fresh;
    std::vector<const RunRecord*> missing;
    std::deque<RunRecord> changed; // a reference into it stays one
    for (const RunRecord* run : runs) {
        fresh.push_back(seen.insert(run->id.text).second && !store.summary(run->id));
        if (!fresh.back())
            continue;
        const bool opaque = run->sourceProfile && run->sourceProfile->code && canDisassemble(*run->sourceProfile->code);
        if (run->source == Source::live || opaque) {
            run = &changed.emplace_back(*run);
            if (run->source == Source::live)
                changed.back().source = Source::import;
        }
        missing.push_back(run);
    }
    inParallel(changed.size(), [&](std::size_t i) {
        if (changed[i].sourceProfile)
            disassemble(*changed[i].sourceProfile);
    });
    KL_TRY(store.saveRuns(missing));
    return fresh;
}

Result<std::vector<bool>> storeRuns(Store& store, const std::vector<RunRecord>& runs)
{
    std::vector<const RunRecord*> all;
    for (const RunRecord& run : runs)
        all.push_back(&run);
    return storeRuns(store, all);
}

} // namespace kl::inline imports
