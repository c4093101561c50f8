// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/diagnosis/tree.h"
#include "kernels/catalog.h"
#include "sessions/store/store.h"

#include <memory>
#include <vector>

namespace kl::inline profiler {
class Collector;
}

namespace kl::inline replay {
struct RecordedRequest;
}

namespace kl::inline learning {

/// The recorded sample as a read-only database in memory: the patterns, the shipped sessions (kind "sample", without a
/// template), the recorded searches, and one profile, or one run where no profile was recorded, for each recorded kernel and problem.
/// Building it twice gives the same ids. Without captures in the build it has only patterns and history, and a notice. It takes a second:
/// programs open the one that was built with them, see openSampleStore().
Result<std::unique_ptr<Store>> buildSampleStore(const Catalog& catalog, const DiagnosisTree& tree);
/// The same with the embedded catalog and tree.
Result<std::unique_ptr<Store>> buildSampleStore();

/// Adds all of that to a database, which may hold recorded sessions; gives the sample's notice.
Result<std::string> fillSampleStore(Store& store, const Catalog& catalog, const DiagnosisTree& tree);

struct SampleFill {
    int stored = 0;
    int skipped = 0; ///< recorded for a kernel, size or setting that the catalog no longer has
};

/// Replays the measurements that `requests` name and stores them.
Result<SampleFill> storeRecorded(Store& store, const Catalog& catalog, const DiagnosisTree& tree, Collector& recorded,
                                 const std::vector<RecordedRequest>& requests);

/// Stores the recorded searches: each point of a space with its time, counters and compiler facts.
Status storeSampleSearches(Store& store);

/// Stores the shipped sessions: an opening event with the text of the October 2025 documents and, so that none counts as open, a finishing
/// one.
Status storeSampleSessions(Store& store);

} // namespace kl::inline learning
