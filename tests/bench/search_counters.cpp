// SPDX-License-Identifier: MIT
// Do counters of the points that a search measured lead it to better ones sooner? Replays the sample's searches, which have one-pass
// counters of every point, with the portfolio and with forms of it that see the counters of a point once the point is measured, never
// before.
#include "bench.h"
#include "core/base/parallel.h"
#include "core/base/try.h"
#include "core/diagnosis/tree.h"
#include "core/search/forest_search.h"
#include "core/search/replay.h"
#include "core/search/vndx.h"
#include "kernels/catalog.h"
#include "kernels/model/chip.h"
#include "sessions/search/recorded_search.h"
#include "sessions/shipped/sample_store.h"
#include "sessions/store/search_records.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

namespace kl::bench {
namespace {

/// What the counters of a point cost a search that counts many together: 7 s for 342 points (tests/bench/results/search_live.md).
constexpr double kCountSeconds = 7.0 / 342;

/// A recorded search with the counters of its points.
struct CountedSpace {
    RecordedSpace recorded;
    std::map<std::string, std::vector<double>> counters; ///< by name, then point
    std::vector<std::string> classes;                    ///< of each point's finding
};

/// What the counters of a search's points tell, of points with an answer only.
class Seen {
public:
    Seen(const CountedSpace& counted, const SearchState& state) : counted_(counted), state_(state) {}
    bool has(PointIndex point) const { return state_.isAnswered(point); }
    double counter(const std::string& name, PointIndex point) const
    {
        return has(point) ? counted_.counters.at(name)[point] : std::nan("");
    }
    std::string findClass(PointIndex point) const { return has(point) ? counted_.classes[point] : std::string(); }

private:
    const CountedSpace& counted_;
    const SearchState& state_;
};

/// Logarithms, so that a forest averages what differs by orders of magnitude.
double scaled(double value)
{
    return std::log1p(std::max(0.0, value));
}

/// Of every point: as it was counted, or as a forest predicts it from the points that were.
std::vector<double> completed(const std::string& name, const CountedSpace& counted, SearchState& state)
{
    const Seen seen(counted, state);
    std::vector<PointIndex> points;
    std::vector<double> values;
    for (const Trial& trial : state.trials()) {
        points.push_back(trial.point);
        values.push_back(scaled(seen.counter(name, trial.point)));
    }
    const RegressionForest forest(state.setting().features, points, values, ForestOptions{.trees = 10}, state.random());
    std::vector<double> all(state.space().size());
    for (PointIndex point = 0; point < all.size(); ++point)
        all[point] = seen.has(point) ? scaled(seen.counter(name, point)) : forest.predict(state.setting().features, point).mean;
    return all;
}

/// The points that ForestSearch chooses from.
std::vector<PointIndex> listCandidates(SearchState& state)
{
    std::vector<PointIndex> candidates, neighbors;
    const auto add = [&](PointIndex point) {
        if (!state.isGiven(point))
            candidates.push_back(point);
    };
    for (const Trial& trial : state.elite()) {
        state.space().neighbors(trial.point, neighbors);
        std::ranges::for_each(neighbors, add);
        for (int i = 0; i < 20; ++i)
            if (const std::optional<PointIndex> neighbor = state.boxNeighbor(trial.point))
                add(*neighbor);
    }
    for (int i = 0; i < 200; ++i)
        add(state.randomPoint());
    return candidates;
}

/// ForestSearch whose forest also has a column per counter: what was counted, or what the counted points predict. Without counters it is
/// the control: the same code, so that a gain is not one of its own.
class CountedForest final : public Proposer {
public:
    CountedForest(const CountedSpace& counted, bool sees) : counted_(counted), sees_(sees) {}
    std::optional<PointIndex> pick(SearchState& state) override
    {
        if (state.givenCount() < LatinHypercube::kCubePoints)
            return cube_.pick(state);
        if (state.elite().empty() || state.random().unit() < 0.05)
            return state.randomPoint();
        refit(state);
        const std::vector<PointIndex> candidates = listCandidates(state);
        return *std::ranges::min_element(candidates, {}, [&](PointIndex point) {
            const ForestPrediction predicted = forest_->predict(*features_, point);
            return predicted.mean - predicted.deviation;
        });
    }

private:
    void refit(SearchState& state)
    {
        const std::vector<Trial>& trials = state.trials();
        if (forest_ && trials.size() < fitted_ + std::max<std::size_t>(1, fitted_ / 20))
            return;
        std::vector<FeatureColumn> columns = counted_.recorded.known;
        if (sees_)
            for (const auto& [name, values] : counted_.counters)
                columns.push_back({name, completed(name, counted_, state)});
        features_.emplace(state.space(), columns);
        std::vector<PointIndex> points;
        std::vector<double> values;
        for (const Trial& trial : trials) {
            points.push_back(trial.point);
            values.push_back(std::log(state.valueOrWorst(trial)));
        }
        std::vector<double> sorted = values;
        std::ranges::sort(sorted);
        for (double& value : values)
            value = std::min(value, sorted[sorted.size() / 2]);
        forest_.emplace(*features_, points, values, ForestOptions{}, state.random());
        fitted_ = trials.size();
    }

    const CountedSpace& counted_;
    bool sees_;
    LatinHypercube cube_;
    std::optional<PointFeatures> features_;
    std::optional<RegressionForest> forest_;
    std::size_t fitted_ = 0;
};

/// What relieves a class: a counter, and whether it should fall.
struct Relief {
    const char* counter;
    bool falls;
};

std::optional<Relief> findRelief(const std::string& classId)
{
    static const std::map<std::string, Relief> reliefs{
        {"dram-bound", {"dram__bytes_read.sum", true}},
        {"l2-bound", {"lts__t_bytes.sum", true}},
        {"l1-bound", {"lts__t_sectors_op_read.sum", true}},
        {"uncoalesced", {"lts__t_sectors_op_read.sum", true}},
        {"bank-conflicts", {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", true}},
        {"occupancy-limited", {"sm__warps_active.avg.pct_of_peak_sustained_active", false}},
        {"small-grid", {"sm__warps_active.avg.pct_of_peak_sustained_active", false}},
        {"tail-effect", {"sm__warps_active.avg.pct_of_peak_sustained_active", false}},
        {"latency-bound", {"smsp__average_warp_latency_per_inst_issued.ratio", true}},
        {"sync-bound", {"smsp__average_warp_latency_per_inst_issued.ratio", true}},
        {"mio-bound", {"smsp__average_warp_latency_per_inst_issued.ratio", true}},
        {"balanced", {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", false}},
        {"issue-bound", {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", true}},
    };
    const auto found = reliefs.find(classId);
    return found == reliefs.end() ? std::nullopt : std::optional(found->second);
}

/// One tunable away from the best point, to where the counter behind its finding improves most, by the points that were counted. Unset
/// where the finding names no counter, or all those neighbors were proposed.
std::optional<PointIndex> relievingMove(const CountedSpace& counted, SearchState& state)
{
    if (state.elite().empty())
        return {};
    const PointIndex best = state.elite().front().point;
    const std::optional<Relief> relief = findRelief(Seen(counted, state).findClass(best));
    if (!relief || !counted.counters.contains(relief->counter))
        return {};
    std::vector<PointIndex> neighbors;
    state.space().neighbors(best, neighbors);
    std::erase_if(neighbors, [&](PointIndex point) { return state.isGiven(point); });
    if (neighbors.empty())
        return {};
    const std::vector<double> all = completed(relief->counter, counted, state);
    return *std::ranges::min_element(neighbors, {}, [&](PointIndex point) { return relief->falls ? all[point] : -all[point]; });
}

enum class Form { plain, control, columns, finding };

/// The portfolio: the starts, then a forest in turns with VNDX. `control`, `columns`: the forest is CountedForest. `finding`: every second
/// turn of VNDX's is a relievingMove.
class GuidedPortfolio final : public Proposer {
public:
    GuidedPortfolio(const CountedSpace& counted, Form form) : counted_(counted), form_(form), guided_(counted, form == Form::columns) {}
    std::optional<PointIndex> pick(SearchState& state) override
    {
        if (const std::optional<PointIndex> start = starts_.pick(state))
            return start;
        if (state.givenCount() % 2 == 0)
            return form_ == Form::plain || form_ == Form::finding ? forest_.pick(state) : guided_.pick(state);
        if (form_ == Form::finding && state.givenCount() % 4 == 3)
            if (const std::optional<PointIndex> move = relievingMove(counted_, state))
                return move;
        return vndx_.pick(state);
    }
    void learn(SearchState& state, const Trial& trial) override { vndx_.learn(state, trial); }

private:
    const CountedSpace& counted_;
    Form form_;
    Starts starts_;
    ForestSearch forest_;
    CountedForest guided_;
    Vndx vndx_;
};

/// Those that are the time itself tell nothing beside it.
bool isTime(const std::string& metric)
{
    return metric == "gpc__cycles_elapsed.max" || metric == "gpu__time_duration.sum" || metric == "sm__cycles_active.max";
}

/// What `kloop profile` with one pass would have stored of a point.
RunRecord makeProfile(const SearchRecord& search, const SearchTrial& trial, const Catalog& catalog, const DeviceInfo& device)
{
    RunRecord run;
    run.kernel = *parseAddress(search.kernel + '@' + trial.tunables);
    run.problem = *parseParams(search.problem);
    run.device = device;
    run.timing.emplace().gpu = {*trial.ns, *trial.ns, *trial.ns, 1};
    run.metrics.emplace().tier = 0;
    for (const auto& [name, value] : trial.metrics)
        run.metrics->values[name] = value;
    const Result<WorkSpec> work = catalog.work(run.kernel, run.problem, toChip(device));
    if (!work)
        return run;
    run.flops = work->flops;
    run.idealBytes = work->idealBytes;
    const auto count = [](const std::vector<std::int64_t>& sizes) {
        return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies());
    };
    for (const LaunchSpec& launch : work->launches) {
        LaunchFacts& facts = run.launches.emplace_back();
        facts.entry = launch.entry;
        facts.gridBlocks = count(launch.grid);
        facts.blockThreads = static_cast<int>(count(launch.block));
        facts.registers = static_cast<int>(trial.facts.at("registers"));
        facts.localBytes = static_cast<std::int64_t>(trial.facts.at("local_bytes"));
        facts.dynamicSmem = launch.dynamicSmem;
        facts.theoreticalOccupancy = trial.facts.at("occupancy");
        facts.blocksPerSm =
            std::max(1, static_cast<int>(std::lround(facts.theoreticalOccupancy / 100 * device.maxThreadsPerSm / facts.blockThreads)));
        facts.waves = static_cast<double>(facts.gridBlocks) / (facts.blocksPerSm * device.smCount);
    }
    return run;
}

/// As the driver described it when another run was recorded.
Result<DeviceInfo> deviceNamed(const Store& store, const std::string& name)
{
    KL_ASSIGN(const std::vector<RunSummary> runs, store.runs({}));
    for (const RunSummary& summary : runs) {
        KL_ASSIGN(const RunRecord run, store.run(summary.id));
        if (run.device.name == name && run.device.smCount > 0)
            return run.device;
    }
    return Error{.code = ErrorCode::notFound, .message = "No run of " + name + " is recorded.", .where = name};
}

Result<CountedSpace> countedSpace(const Store& store, const SearchRecord& search)
{
    KL_ASSIGN(const Catalog catalog, Catalog::loadEmbedded());
    KL_ASSIGN(const DiagnosisTree tree, DiagnosisTree::loadEmbedded());
    KL_ASSIGN(const DeviceInfo device, deviceNamed(store, search.device));
    KL_ASSIGN(RecordedSpace recorded, makeRecordedSpace(search, catalog));
    CountedSpace counted{std::move(recorded), {}, {}};
    for (std::size_t point = 0; point < search.trials.size(); ++point) {
        const SearchTrial& trial = search.trials[point];
        for (const auto& [name, value] : trial.metrics)
            if (!isTime(name))
                counted.counters.try_emplace(name, search.trials.size(), 0.0).first->second[point] = value;
        counted.classes.push_back(tree.diagnose(makeProfile(search, trial, catalog, device), {}).finding.classId);
    }
    return counted;
}

SearchScore computeScore(const CountedSpace& counted, Form form, double secondsPerPoint, const CountedRepeats& repeats)
{
    RecordedSpace recorded = counted.recorded;
    const RandomBaseline baseline(recorded); // the budget is that of a search without counters
    for (double& cost : recorded.costs)
        cost += secondsPerPoint;
    const SearchSetting setting = recorded.setting();
    std::vector<ReplayTrace> traces(repeats.count);
    inParallel(traces.size(), [&](std::size_t repeat) {
        Strategy strategy(setting, repeats.seed + repeat, std::make_unique<GuidedPortfolio>(counted, form));
        traces[repeat] = replaySearch(recorded, strategy, baseline.secondsTo(kScoreShare));
    });
    return scoreSearch(counted.recorded, baseline, traces);
}

/// Of the mean over the spaces. Both were resampled by the same repeats, which had the same seeds.
ScoreInterval computeScoreGain(const std::vector<SearchScore>& guided, const std::vector<SearchScore>& plain)
{
    double gain = 0;
    std::vector<double> gains(plain.front().resampled.size(), 0);
    const double share = 1 / static_cast<double>(plain.size());
    for (std::size_t space = 0; space < plain.size(); ++space) {
        gain += share * (guided[space].score.value - plain[space].score.value);
        for (std::size_t i = 0; i < gains.size(); ++i)
            gains[i] += share * (guided[space].resampled[i] - plain[space].resampled[i]);
    }
    std::ranges::sort(gains);
    const auto at = [&](double part) { return gains[static_cast<std::size_t>(part * static_cast<double>(gains.size() - 1))]; };
    return {gain, at(0.025), at(0.975)};
}

void printGain(const ScoreInterval& gain)
{
    std::printf(" %+.3f [%+.3f, %+.3f] |", gain.value, gain.low, gain.high);
}

void printFindings(const CountedSpace& counted)
{
    std::map<std::string, int> classes;
    for (const std::string& id : counted.classes)
        ++classes[id];
    std::printf("%s, findings of one pass:", counted.recorded.name.c_str());
    for (const auto& [id, count] : classes)
        std::printf(" %s %d", id.c_str(), count);
    std::printf("\n");
}

Status compareForms(const CountedRepeats& repeats)
{
    struct Row {
        const char* name;
        Form form;
        double seconds;
    };
    static constexpr Row kRows[] = {{"the columns' code without counters", Form::control, 0},
                                    {"columns of the forest", Form::columns, 0},
                                    {"columns, counting takes its time", Form::columns, kCountSeconds},
                                    {"moves by the finding", Form::finding, 0},
                                    {"moves, counting takes its time", Form::finding, kCountSeconds}};
    KL_ASSIGN(const std::unique_ptr<Store> store, openSampleStore());
    KL_ASSIGN(const std::vector<SearchRecord> searches, searchRecords(*store, "attention/fused"));
    std::vector<CountedSpace> spaces;
    std::vector<SearchScore> plain;
    for (const SearchRecord& search : searches) {
        KL_ASSIGN(CountedSpace counted, countedSpace(*store, search));
        printFindings(counted);
        spaces.push_back(std::move(counted));
        plain.push_back(computeScore(spaces.back(), Form::plain, 0, repeats));
    }
    std::printf("%zu replays, seeds from %zu\n\n| counters |", repeats.count, repeats.seed);
    for (const SearchRecord& search : searches)
        std::printf(" %s: P [95 %%] | gain [95 %%] |", search.problem.c_str());
    std::printf(" gain of the mean |\n| none |");
    for (const SearchScore& score : plain)
        std::printf(" %.3f [%.3f, %.3f] | |", score.score.value, score.score.low, score.score.high);
    std::printf(" |\n");
    for (const Row& row : kRows) {
        std::printf("| %s |", row.name);
        std::vector<SearchScore> guided;
        for (std::size_t space = 0; space < spaces.size(); ++space) {
            guided.push_back(computeScore(spaces[space], row.form, row.seconds, repeats));
            const ScoreInterval& score = guided.back().score;
            std::printf(" %.3f [%.3f, %.3f] |", score.value, score.low, score.high);
            printGain(computeScoreGain({guided.back()}, {plain[space]}));
        }
        printGain(computeScoreGain(guided, plain));
        std::printf("\n");
        std::fflush(stdout);
    }
    return {};
}

} // namespace

int compareCountedSearches(const CountedRepeats& repeats)
{
    const Status done = compareForms(repeats);
    if (!done)
        std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return done ? 0 : 1;
}

} // namespace kl::bench
