// SPDX-License-Identifier: MIT
#include "kernels/space/planned_points.h"

#include "kernels/model/formula_parser.h"

#include <cmath>
#include <fmt/format.h>

namespace kl::inline kernels {

/// Adds formulas, and keeps the first error.
class PlannedPoints::Reader {
public:
    explicit Reader(FormulaSet& formulas) : formulas_(formulas) {}

    Formula operator()(const std::string& text)
    {
        const Result<std::size_t> index = formulas_.add(text);
        if (!index && !error)
            error = index.error();
        return index ? *index : 0;
    }

    std::optional<Error> error;

private:
    FormulaSet& formulas_;
};

/// Values of formulas at one point; keeps the first error.
class PlannedPoints::Values {
public:
    explicit Values(const FormulaSet& formulas) : formulas_(formulas) {}

    double number(Formula formula)
    {
        const Result<double> value = formulas_.evaluate(formula);
        if (!value && !error)
            error = value.error();
        return value ? *value : 0;
    }

    /// A whole number of at least `least`, or nothing.
    std::optional<std::int64_t> whole(Formula formula, std::int64_t least)
    {
        const double value = number(formula);
        if (!std::isfinite(value) || value != std::round(value) || value < static_cast<double>(least))
            return {};
        return static_cast<std::int64_t>(value);
    }

    std::int64_t count(Formula formula, std::int64_t least)
    {
        const std::optional<std::int64_t> value = whole(formula, least);
        if (!value && !error)
            error = badFormula(formulas_.text(formula), fmt::format("{} is not a whole number of at least {} with {}", number(formula),
                                                                    least, formulas_.namesIn(formula)));
        return value.value_or(least);
    }

    std::optional<Error> error;

private:
    const FormulaSet& formulas_;
};

Result<PlannedPoints> PlannedPoints::make(const KernelFamily& family, const Variant& variant, const Scope& scope)
{
    PlannedPoints points(variant, scope);
    Reader read(points.formulas_);
    for (const LaunchFormula& launch : variant.launches) {
        LaunchPlan& plan = points.launches_.emplace_back();
        plan.entry = launch.entry;
        for (const std::string& axis : launch.block)
            plan.block.push_back(read(axis));
        plan.smem = read(launch.dynamicSmem);
        plan.repeat = read(launch.repeat);
    }
    for (const std::vector<std::string>* constraints : {&family.constraints, &variant.constraints})
        for (const std::string& constraint : *constraints)
            points.constraints_.push_back(read(constraint));
    const SearchRules& rules = variant.search;
    for (const SearchRules::Fragment& fragment : rules.fragments)
        points.fragments_.push_back(read(fragment.count));
    if (!rules.otherRegisters.empty())
        points.others_ = read(rules.otherRegisters);
    points.staticSmem_ = read(rules.staticSmem);
    points.minBlocks_ = read(rules.minBlocks);
    for (const SearchRules::WarpAccess& access : rules.global)
        points.global_.push_back({read(access.bytes), read(access.lanes), read(access.pitch),
                                  read(access.laneStride.empty() ? access.bytes : access.laneStride)});
    for (const SearchRules::TileRead& tile : rules.shared)
        points.shared_.push_back({read(tile.pitch), read(tile.rowMask)});
    if (read.error)
        return *read.error;
    return points;
}

Result<PlannedPoint> PlannedPoints::plan() const
{
    PlannedPoint point;
    Values at(formulas_);
    planLaunches(at, point);
    for (const Formula constraint : constraints_)
        if (at.number(constraint) == 0)
            point.violated.push_back(fmt::format("{} with {}", formulas_.text(constraint), formulas_.namesIn(constraint)));
    planRegisters(at, point);
    planAccesses(at, point);
    if (at.error)
        return *at.error;
    return point;
}

void PlannedPoints::planLaunches(Values& at, PlannedPoint& point) const
{
    const std::int64_t fixed = at.count(staticSmem_, 0);
    for (const LaunchPlan& plan : launches_) {
        if (at.count(plan.repeat, 0) == 0)
            continue;
        PlannedLaunch launch{plan.entry, 1, at.count(plan.smem, 0) + fixed};
        for (const Formula axis : plan.block) {
            const std::optional<std::int64_t> size = at.whole(axis, 1);
            launch.threads = launch.threads && size ? std::optional(*launch.threads * *size) : std::nullopt;
        }
        point.launches.push_back(std::move(launch));
    }
}

void PlannedPoints::planRegisters(Values& at, PlannedPoint& point) const
{
    for (std::size_t i = 0; i < fragments_.size(); ++i)
        point.fragments.push_back({rules_.fragments[i].name, at.number(fragments_[i])});
    point.mostFragments = rules_.mostFragments;
    if (others_)
        point.otherRegisters = at.number(*others_);
    point.minBlocks = static_cast<int>(at.count(minBlocks_, 1));
}

void PlannedPoints::planAccesses(Values& at, PlannedPoint& point) const
{
    for (std::size_t i = 0; i < global_.size(); ++i) {
        const AccessPlan& plan = global_[i];
        point.global.push_back({rules_.global[i].name,
                                {at.count(plan.bytes, 1), at.count(plan.lanes, 1), at.count(plan.pitch, 0), at.count(plan.laneStride, 0)}});
    }
    for (std::size_t i = 0; i < shared_.size(); ++i)
        point.shared.push_back({rules_.shared[i].name, {at.count(shared_[i].pitch, 1), at.count(shared_[i].rowMask, 0)}});
}

} // namespace kl::inline kernels
