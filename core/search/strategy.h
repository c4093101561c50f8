// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/search_state.h"

#include <memory>
#include <span>

namespace kl::inline spaces {

/// How a strategy chooses. One file each in core/search/strategies.
class Proposer {
public:
    virtual ~Proposer() = default;
    /// A point that was not given yet. Unset: it needs the answers of the round first; then the round ends here. Precondition: a point is
    /// left. With every answer there it always gives one.
    virtual std::optional<PointIndex> pick(SearchState& state) = 0;
    /// An answer, in the order of proposals; the state has it already.
    virtual void learn(SearchState&, const Trial&) {}
};

/// Proposes points of a space and learns from their times. ask() gives a round; the next round needs the answers to all of it, which may
/// arrive in any order: what is proposed depends on the setting, the seed and the widths alone. No point is proposed twice. Not
/// thread-safe; the setting must outlive it.
class Strategy {
public:
    Strategy(const SearchSetting& setting, std::uint64_t seed, std::unique_ptr<Proposer> proposer)
        : state_(setting, seed), proposer_(std::move(proposer))
    {
    }

    /// At most `width` points, at least one until all were proposed. Preconditions: the last round is answered; width > 0.
    std::vector<PointIndex> ask(std::size_t width);
    /// The time of a point of the last round; unset when it failed.
    void tell(PointIndex point, std::optional<double> value);

    const SearchState& state() const { return state_; }

private:
    SearchState state_;
    std::unique_ptr<Proposer> proposer_;
    std::vector<PointIndex> round_;
    std::vector<Trial> answers_; ///< of the round
};

/// A strategy that can be asked for.
struct StrategyRow {
    const char* name;  ///< as in --strategy and JSON; Kernel Tuner's where it has one
    const char* brief; ///< for help and documentation
    std::unique_ptr<Proposer> (*make)(const SearchSetting& setting);
};

/// "portfolio", which needs no setting.
inline constexpr const char* kDefaultStrategy = "portfolio";

/// All of them, the default first.
std::span<const StrategyRow> strategies();

/// Error notFound with similar names: no strategy has this name.
Result<const StrategyRow*> strategyNamed(const std::string& name);

/// Up to so many points the portfolio measures all, in the space's order.
inline constexpr std::size_t kBruteForcePoints = 60;

} // namespace kl::inline spaces
