// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/gates.h"
#include "kernels/model/descriptor.h"
#include "kernels/space/formula_set.h"

namespace kl::inline kernels {

/// Evaluates the formulas of a variant into the inputs of the gates, one point after another.
class PlannedPoints {
public:
    /// Parses every formula once. `scope`: sizes, constants and tunables at any values. Error badInput: a bad formula.
    static Result<PlannedPoints> make(const KernelFamily& family, const Variant& variant, const Scope& scope);

    void set(const std::string& tunable, double value) { formulas_.set(tunable, value); }

    /// At the values set last. Error badInput: a formula fails, or is not a whole number where it must be one.
    Result<PlannedPoint> plan() const;

private:
    using Formula = std::size_t; ///< its index in formulas_
    struct LaunchPlan {
        std::string entry;
        std::vector<Formula> block;
        Formula smem = 0;
        Formula repeat = 0;
    };
    struct AccessPlan {
        Formula bytes, lanes, pitch, laneStride;
    };
    struct TilePlan {
        Formula pitch, rowMask;
    };
    class Reader;
    class Values;

    PlannedPoints(const Variant& variant, const Scope& scope) : rules_(variant.search), formulas_(scope) {}
    void planLaunches(Values& at, PlannedPoint& point) const;
    void planRegisters(Values& at, PlannedPoint& point) const;
    void planAccesses(Values& at, PlannedPoint& point) const;

    SearchRules rules_;
    FormulaSet formulas_;
    std::vector<LaunchPlan> launches_;
    std::vector<Formula> constraints_;
    std::vector<Formula> fragments_;
    std::optional<Formula> others_;
    Formula staticSmem_ = 0;
    Formula minBlocks_ = 0;
    std::vector<AccessPlan> global_;
    std::vector<TilePlan> shared_;
};

} // namespace kl::inline kernels
