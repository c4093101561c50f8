// SPDX-License-Identifier: MIT
#include "sessions/import/store_runs.h"

namespace kl {

Result<std::vector<bool>> storeRuns(Store& store, const std::vector<RunRecord>& runs)
{
    std::vector<bool> fresh;
    for (RunRecord run : runs) {
        if (run.source == Source::live)
            run.source = Source::import;
        fresh.push_back(!store.summary(run.id));
        if (!fresh.back())
            continue;
        if (const Status saved = store.saveRun(run); !saved)
            return saved.error();
    }
    return fresh;
}

} // namespace kl
