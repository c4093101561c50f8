// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/measure/recommender.h"

#include <memory>
#include <mutex>

namespace kl::inline diagnosis {
class DiagnosisTree;
}

namespace kl::inline kernels {
class Catalog;
}

namespace kl::inline store {
class Store;
}

namespace kl::inline learning {

class FixModel;

/// The recommender of a database: trainModel() for what was measured, trained when the first run is weighed and kept from then on;
/// loadShippedModel() for what is replayed, which does not depend on the database that it is replayed into. Borrows what it is given.
class TrainedRecommender final : public Recommender {
public:
    TrainedRecommender(const Store& store, const Catalog& catalog, const DiagnosisTree& tree)
        : store_(store), catalog_(catalog), tree_(tree)
    {
    }

    std::optional<Warning> weigh(RunRecord& run) override;

private:
    Result<std::shared_ptr<const FixModel>> findTrained();

    const Store& store_;
    const Catalog& catalog_;
    const DiagnosisTree& tree_;
    std::mutex mutex_;
    std::shared_ptr<const FixModel> trained_; ///< guarded by mutex_; null until it is needed
};

} // namespace kl::inline learning
