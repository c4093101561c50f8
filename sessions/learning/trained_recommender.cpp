// SPDX-License-Identifier: MIT
#include "sessions/learning/trained_recommender.h"

#include "sessions/learning/recommend.h"

namespace kl::inline learning {

std::optional<Warning> TrainedRecommender::weigh(RunRecord& run)
{
    return weighBy(run.source == Source::live ? findTrained() : loadShippedModel(), run, tree_);
}

Result<std::shared_ptr<const FixModel>> TrainedRecommender::findTrained()
{
    const std::scoped_lock lock(mutex_);
    if (trained_)
        return trained_;
    Result<std::shared_ptr<const FixModel>> model = trainModel(store_, catalog_, tree_);
    if (model)
        trained_ = *model;
    return model;
}

} // namespace kl::inline learning
