// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/search_record.h"
#include "sessions/search/tuner.h"
#include "sessions/store/store.h"

#include <chrono>

namespace kl::inline search {

struct BestPoint;
struct LoopPlan;
struct SearchSubject;

/// A point that was just measured, for a record.
SearchTrial makeTrial(const TunedPoint& point);

/// The record of a search while it runs: saved from its first point on, every few seconds while it measures, and after each stage, so that
/// a search that is killed leaves what it had.
class SearchLog {
public:
    SearchLog(Store& store, const Collector& collector, const SearchSubject& subject, const LoopPlan& plan, const Job& job);

    /// A point as TunePlan::onTime gets it: a new trial, or the longer time of one of the best.
    void add(const TunedPoint& point);
    /// What measuring ended with: the funnel, what the compiler says of each trial, counters.
    void addTuned(const TuneResult& result);
    /// The verified best point and what was found of it since; saves it.
    void addBest(const BestPoint& best);
    /// Saves it in this state.
    void end(SearchStage state);

    const SearchRecord& record() const noexcept { return record_; }

private:
    using Clock = std::chrono::steady_clock;
    void save();

    Store& store_;
    const SearchSubject& subject_;
    const Job& job_;
    SearchRecord record_;
    std::map<std::string, std::size_t> placeOf_; ///< by tunables
    Clock::time_point saved_;
};

} // namespace kl::inline search
