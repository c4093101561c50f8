// SPDX-License-Identifier: MIT
#include "core/search/replay.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <numeric>

namespace kl::inline spaces {
namespace {

constexpr std::size_t kTimes = 400;      ///< points of time at which a score is taken
constexpr std::size_t kResamples = 1000; ///< of the bootstrap
constexpr double kFirstShare = 0.01;     ///< as cutoff_percentile_start in autotuning_methodology

/// Rank of the best so far of one repeat at every time.
std::vector<float> ranksOver(const std::vector<double>& times, const ReplayTrace& trace, const RandomBaseline& baseline)
{
    std::vector<float> ranks(times.size());
    auto rank = static_cast<float>(baseline.values().size() / 2); // nothing is found yet
    std::size_t next = 0;
    for (std::size_t t = 0; t < times.size(); ++t) {
        for (; next < trace.improvements.size() && trace.improvements[next].seconds <= times[t]; ++next)
            rank = static_cast<float>(baseline.findRank(trace.improvements[next].point));
        ranks[t] = rank;
    }
    return ranks;
}

ScorePoint scoreAt(double seconds, double meanRank, double random, const RandomBaseline& baseline)
{
    const double best = baseline.values()[static_cast<std::size_t>(std::lround(meanRank))];
    const double way = baseline.optimum() - random;
    return {seconds, best, random, way == 0 ? 0.0 : (best - random) / way};
}

double quantile(const std::vector<double>& sorted, double share)
{
    return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
}

ScoreInterval computeInterval(double value, std::vector<double> resampled)
{
    std::ranges::sort(resampled);
    return {value, quantile(resampled, 0.025), quantile(resampled, 0.975)};
}

double computeMean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

ReplayTrace replaySearch(const RecordedSpace& recorded, Strategy& strategy, double seconds, std::size_t width, std::size_t most)
{
    ReplayTrace trace;
    double elapsed = 0;
    std::optional<double> best;
    std::deque<PointIndex> open;
    while (true) {
        std::ranges::copy(strategy.ask(width), std::back_inserter(open));
        if (open.empty())
            return trace;
        const PointIndex point = open.front();
        open.pop_front();
        elapsed += recorded.costs[point];
        if (elapsed > seconds || (most > 0 && trace.evaluations == most))
            return trace;
        ++trace.evaluations;
        const std::optional<double>& value = recorded.values[point];
        trace.failed += value ? 0U : 1U;
        if (value && (!best || *value < *best)) {
            best = value;
            trace.improvements.push_back({elapsed, trace.evaluations, point});
        }
        strategy.tell(point, value);
    }
}

SearchScore scoreSearch(const RecordedSpace& recorded, const RandomBaseline& baseline, const std::vector<ReplayTrace>& traces)
{
    SearchScore result;
    result.budgetSeconds = baseline.secondsTo(kScoreShare);
    result.budgetEvaluations = baseline.evaluationsTo(kScoreShare);
    result.optimum = baseline.optimum();
    const double first = std::min(baseline.secondsTo(kFirstShare), result.budgetSeconds);
    std::vector<double> times;
    std::vector<double> random;
    for (std::size_t t = 0; t < kTimes; ++t) {
        times.push_back(first + (result.budgetSeconds - first) * static_cast<double>(t) / (kTimes - 1));
        random.push_back(baseline.valueAt(times.back()));
    }
    std::vector<std::vector<float>> ranks;
    for (const ReplayTrace& trace : traces)
        ranks.push_back(ranksOver(times, trace, baseline));

    const auto computeScore = [&](const std::vector<std::size_t>& repeats, std::vector<ScorePoint>* curve) {
        std::vector<float> sums(kTimes, 0);
        for (const std::size_t repeat : repeats)
            for (std::size_t t = 0; t < kTimes; ++t)
                sums[t] += ranks[repeat][t];
        double sum = 0;
        for (std::size_t t = 0; t < kTimes; ++t) {
            const ScorePoint point = scoreAt(times[t], sums[t] / static_cast<double>(repeats.size()), random[t], baseline);
            sum += point.score;
            if (curve)
                curve->push_back(point);
        }
        return sum / kTimes;
    };
    std::vector<std::size_t> repeats(traces.size());
    std::iota(repeats.begin(), repeats.end(), std::size_t{0});
    const double score = computeScore(repeats, &result.curve);
    RandomSource source(1);
    for (std::size_t i = 0; i < kResamples; ++i) {
        for (std::size_t& repeat : repeats)
            repeat = source.below(traces.size());
        result.resampled.push_back(computeScore(repeats, nullptr));
    }
    result.score = computeInterval(score, result.resampled);

    for (const ReplayTrace& trace : traces)
        if (!trace.improvements.empty())
            result.meanFound += result.optimum / *recorded.values[trace.improvements.back().point] / static_cast<double>(traces.size());
    for (std::size_t share = 0; share < kOptimumShares.size(); ++share) {
        std::vector<std::size_t> reached;
        for (const ReplayTrace& trace : traces)
            for (const Improvement& improvement : trace.improvements)
                if (*recorded.values[improvement.point] * kOptimumShares[share] <= result.optimum) {
                    reached.push_back(improvement.evaluations);
                    break;
                }
        std::ranges::sort(reached);
        if (2 * reached.size() >= traces.size() && !reached.empty()) // those that never get there are the upper part
            result.evaluationsTo[share] = static_cast<double>(reached[(traces.size() - 1) / 2]);
    }
    return result;
}

ScoreInterval meanScore(const std::vector<const SearchScore*>& scores)
{
    std::vector<double> values;
    std::vector<double> resampled(kResamples, 0);
    for (const SearchScore* score : scores) {
        values.push_back(score->score.value);
        for (std::size_t i = 0; i < kResamples; ++i)
            resampled[i] += score->resampled[i] / static_cast<double>(scores.size());
    }
    return computeInterval(computeMean(values), resampled);
}

} // namespace kl::inline spaces
