// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/run.h"

#include <optional>

namespace kl::inline measure {

/// Weighs the fixes of a diagnosed run by what is known of similar changes. TrainedRecommender of sessions/learning does it for the
/// programs. Safe to call from several threads.
class Recommender {
public:
    virtual ~Recommender() = default;

    /// Puts chance and gain into the fixes of the run's diagnosis: ready variants first, then the larger expected gain. Where that cannot
    /// be, they keep the decision tree's confidence and order, and the warning says why. Precondition: the run has a diagnosis.
    virtual std::optional<Warning> weigh(RunRecord& run) = 0;
};

} // namespace kl::inline measure
