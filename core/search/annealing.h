// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/sampling.h"

namespace kl::inline spaces {

/// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) over neighbors one tunable away. Times are compared relative to the current
/// one; known neighbors are walked for free. One point
/// open at a time, whatever the width. Temperatures as Kernel Tuner's best published ones, 0.5 to 0.001, cooled by 0.9975 a step.
class Annealing final : public Proposer {
public:
    std::optional<PointIndex> pick(SearchState& state) override;
    void learn(SearchState& state, const Trial& trial) override;

private:
    static constexpr double kFirstTemperature = 0.5;
    static constexpr double kLastTemperature = 0.001;
    static constexpr double kCooling = 0.9975;
    static constexpr int kFreeSteps = 100; ///< over known points in a row until a restart

    void step(SearchState& state, PointIndex to, std::optional<double> value);

    Starts starts_;
    std::optional<PointIndex> current_;
    bool restarted_ = true; ///< the next answer is a new current point, whatever it is
    double temperature_ = kFirstTemperature;
    std::vector<PointIndex> neighbors_;
};

} // namespace kl::inline spaces
