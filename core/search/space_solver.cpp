// SPDX-License-Identifier: MIT
#include "core/search/space_solver.h"

#include "core/base/try.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace kl::inline spaces {
namespace {

using AxisIndex = std::size_t;

class Solver {
public:
    Solver(const std::vector<TuningAxis>& axes, const std::vector<SpaceConstraint>& constraints, std::size_t most, std::stop_token stop)
        : axes_(axes), constraints_(constraints), most_(most), stop_(std::move(stop)), places_(axes.size(), 0)
    {
    }

    Result<std::vector<AxisPlaces>> solve()
    {
        KL_TRY(plan());
        KL_TRY(assign(0));
        std::ranges::sort(found_);
        return std::move(found_);
    }

private:
    /// The order of assignment: always the axis that is in the constraint with the fewest axes still open; of those, the one in most
    /// constraints, then the one with fewer values. Axes in no constraint come last.
    Status plan()
    {
        std::vector<std::vector<AxisIndex>> open;
        for (const SpaceConstraint& constraint : constraints_) {
            open.emplace_back();
            for (const std::string& name : constraint.names) {
                const auto axis = std::ranges::find(axes_, name, &TuningAxis::name);
                if (axis == axes_.end())
                    return Error{.code = ErrorCode::badInput,
                                 .message = fmt::format("A constraint reads {}, which is not a tunable of the space.", name),
                                 .hint = "Add the tunable, or remove the constraint.",
                                 .where = name};
                open.back().push_back(static_cast<AxisIndex>(axis - axes_.begin()));
            }
        }
        std::vector<bool> assigned(axes_.size(), false);
        checks_.resize(axes_.size() + 1);
        checkComplete(open, 0);
        for (std::size_t depth = 1; depth <= axes_.size(); ++depth) {
            const AxisIndex next = chooseNext(open, assigned);
            assigned[next] = true;
            order_.push_back(next);
            for (std::vector<AxisIndex>& axes : open)
                std::erase(axes, next);
            checkComplete(open, depth);
        }
        return {};
    }

    AxisIndex chooseNext(const std::vector<std::vector<AxisIndex>>& open, const std::vector<bool>& assigned) const
    {
        AxisIndex best = axes_.size();
        std::tuple<std::size_t, std::size_t, std::size_t> bestKey;
        for (AxisIndex axis = 0; axis < axes_.size(); ++axis) {
            if (assigned[axis])
                continue;
            std::size_t fewest = axes_.size() + 1;
            std::size_t in = 0;
            for (const std::vector<AxisIndex>& axes : open)
                if (std::ranges::find(axes, axis) != axes.end()) {
                    fewest = std::min(fewest, axes.size());
                    ++in;
                }
            const std::tuple key{fewest, constraints_.size() - in, axes_[axis].values.size()};
            if (best == axes_.size() || key < bestKey) {
                best = axis;
                bestKey = key;
            }
        }
        return best;
    }

    /// Constraints whose last name is bound at this depth are checked there.
    void checkComplete(const std::vector<std::vector<AxisIndex>>& open, std::size_t depth)
    {
        for (std::size_t i = 0; i < open.size(); ++i) {
            const auto known = [&](const std::vector<std::size_t>& list) { return std::ranges::find(list, i) != list.end(); };
            if (open[i].empty() && std::none_of(checks_.begin(), checks_.end(), known))
                checks_[depth].push_back(i);
        }
    }

    Status assign(std::size_t depth)
    {
        for (const std::size_t constraint : checks_[depth]) {
            KL_ASSIGN(const bool holds, constraints_[constraint].holds(places_));
            if (!holds)
                return {};
        }
        if (depth == axes_.size()) {
            if (found_.size() == most_)
                return Error{.code = ErrorCode::badInput,
                             .message = fmt::format("The space has more than {} valid points.", most_),
                             .hint = "Fix a tunable, or add a constraint.",
                             .where = "space"};
            found_.push_back(places_);
            return {};
        }
        if (depth <= 2 && stop_.stop_requested())
            return Error{.code = ErrorCode::interrupted, .message = "The search space was not completed."};
        const AxisIndex axis = order_[depth];
        for (std::size_t place = 0; place < axes_[axis].values.size(); ++place) {
            places_[axis] = static_cast<std::uint16_t>(place);
            KL_TRY(assign(depth + 1));
        }
        return {};
    }

    const std::vector<TuningAxis>& axes_;
    const std::vector<SpaceConstraint>& constraints_;
    std::size_t most_;
    std::stop_token stop_;
    std::vector<AxisIndex> order_;
    std::vector<std::vector<std::size_t>> checks_; ///< by depth: constraints that are complete there
    AxisPlaces places_;
    std::vector<AxisPlaces> found_;
};

} // namespace

Result<std::vector<AxisPlaces>> solveCombinations(const std::vector<TuningAxis>& axes, const std::vector<SpaceConstraint>& constraints,
                                                  std::size_t most, std::stop_token stop)
{
    return Solver(axes, constraints, most, std::move(stop)).solve();
}

Result<TuningSpace> solveSpace(std::vector<TuningAxis> axes, const std::vector<SpaceConstraint>& constraints, std::stop_token stop)
{
    KL_ASSIGN(const std::vector<AxisPlaces> points, solveCombinations(axes, constraints, TuningSpace::kMostPoints, std::move(stop)));
    return TuningSpace::make(std::move(axes), points);
}

} // namespace kl::inline spaces
