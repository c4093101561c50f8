// SPDX-License-Identifier: MIT
#pragma once

#include "core/search/search_state.h"

#include <deque>
#include <memory>
#include <span>

namespace kl::inline spaces {

/// How a strategy chooses. One file each in core/search/strategies.
class Proposer {
public:
    virtual ~Proposer() = default;
    /// A point that was not given yet. Unset: it needs the answers of open ones first, and has drawn nothing at random. Precondition: a
    /// point is left. With every answer there it always gives one.
    virtual std::optional<PointIndex> pick(SearchState& state) = 0;
    /// An answer, in the order of proposals; the state has it already.
    virtual void learn(SearchState&, const Trial&) {}
};

/// Proposes points of a space and learns from their times, which may arrive in any order. It learns them in the order of its proposals, and
/// none before it must: the n-th proposal of width w knows the answers of the first n − w. So what is proposed depends on the setting, the
/// seed and the width alone, and one that measures several points at a time never waits for all of them. No point is proposed twice. Not
/// thread-safe; the setting must outlive it.
class Strategy {
public:
    Strategy(const SearchSetting& setting, std::uint64_t seed, std::unique_ptr<Proposer> proposer)
        : state_(setting, seed), proposer_(std::move(proposer))
    {
    }

    /// New points, at most so many that `width` are open: proposed, and their answer not learned. None: the oldest open one needs its
    /// answer first, or all were proposed. Precondition: width > 0.
    std::vector<PointIndex> ask(std::size_t width);
    /// The time of an open point; unset when it failed.
    void tell(PointIndex point, std::optional<double> value);

    const SearchState& state() const { return state_; }

private:
    bool learnOldest();

    SearchState state_;
    std::unique_ptr<Proposer> proposer_;
    std::deque<PointIndex> open_; ///< in the order of proposals
    std::vector<Trial> answers_;  ///< of open points
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
Result<const StrategyRow*> findStrategy(const std::string& name);

/// Up to so many points the portfolio measures all, in the space's order.
inline constexpr std::size_t kBruteForcePoints = 60;

} // namespace kl::inline spaces
