// SPDX-License-Identifier: MIT
#include "sessions/learning/regressions.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/fields.h"
#include "core/stats/robust.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace kl::inline learning {

constexpr auto enumWords(RegressionState)
{
    using S = RegressionState;
    return std::array<std::pair<S, const char*>, 4>{
        {{S::open, "open"}, {S::acknowledged, "acknowledged"}, {S::fixed, "fixed"}, {S::newNormal, "new-normal"}}};
}

namespace {

constexpr int kSummaryPage = 500;
constexpr int kMostSummaries = 5000; ///< the newest; older ones no longer say what is normal
constexpr std::size_t kInARow = 2;
constexpr std::size_t kMostPoints = 50; ///< of a segment, the last ones: levels drift with drivers and rooms
constexpr double kLeastChange = 0.01;
constexpr double kSigmas = 4;

struct Mark {
    RegressionState state = RegressionState::acknowledged;
    std::string at;    ///< when it was made
    std::string since; ///< start of the first slow run that it is about
    std::string note;
};
template <class V> void fields(V& v, Mark& m)
{
    v("state", m.state);
    v("at", m.at);
    v("since", m.since);
    v("note", m.note);
}
struct Marks {
    std::vector<Mark> marks; ///< oldest first
};
template <class V> void fields(V& v, Marks& m)
{
    v("marks", m.marks);
}

/// Kernel, problem, device.
using SeriesKey = std::tuple<std::string, std::string, std::string>;

struct RunSeries {
    std::vector<RunSummary> runs; ///< oldest first
    std::vector<Mark> marks;
};

std::string makeSettingName(const SeriesKey& key)
{
    return fmt::format("regression-marks:{}|{}|{}", std::get<0>(key), std::get<1>(key), std::get<2>(key));
}

Result<std::vector<Mark>> readMarks(const Store& store, const SeriesKey& key)
{
    const std::string name = makeSettingName(key);
    const std::optional<std::string> text = store.setting(name);
    if (!text || text->empty())
        return std::vector<Mark>{};
    KL_ASSIGN(const Json json, parseJson(*text, name));
    KL_ASSIGN(Marks marks, fromJson<Marks>(json, name));
    return std::move(marks.marks);
}

/// The newest runs, newest first.
Result<std::vector<RunSummary>> newestSummaries(const Store& store)
{
    std::vector<RunSummary> runs;
    RunQuery query;
    query.limit = kSummaryPage;
    while (runs.size() < kMostSummaries) {
        KL_ASSIGN(const std::vector<RunSummary> page, store.runs(query));
        runs.insert(runs.end(), page.begin(), page.end());
        if (page.size() < static_cast<std::size_t>(kSummaryPage))
            break;
        query.beforeStartedAt = page.back().startedAt;
        query.beforeId = page.back().id.text;
    }
    return runs;
}

Result<std::map<SeriesKey, RunSeries>> allSeries(const Store& store)
{
    KL_ASSIGN(const std::vector<RunSummary> runs, newestSummaries(store));
    std::map<SeriesKey, RunSeries> all;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run)
        if (run->source == Source::live && isUsable(*run) && run->gpuNs)
            all[{run->kernel, run->problem, run->device}].runs.push_back(*run);
    for (auto& [key, series] : all) {
        KL_ASSIGN(series.marks, readMarks(store, key));
    }
    return all;
}

/// Whether a run counts: not before a new normal, and not among the slow ones that were declared fixed.
bool counts(const RunSummary& run, const std::vector<Mark>& marks)
{
    return std::ranges::none_of(marks, [&](const Mark& mark) {
        return (mark.state == RegressionState::newNormal && run.startedAt < mark.since) ||
               (mark.state == RegressionState::fixed && run.startedAt >= mark.since && run.startedAt < mark.at);
    });
}

/// The slow-down of a series, or what its newest mark is about.
std::optional<KernelRegression> detectRegression(const SeriesKey& key, const RunSeries& series)
{
    std::vector<const RunSummary*> counted;
    std::vector<double> times;
    for (const RunSummary& run : series.runs)
        if (counts(run, series.marks)) {
            counted.push_back(&run);
            times.push_back(*run.gpuNs);
        }
    KernelRegression row;
    std::tie(row.kernel, row.problem, row.device) = key;
    row.newest = series.runs.back().id.text;
    if (const std::optional<Regression> found = findRegression(times)) {
        row.firstRun = counted[found->at]->id.text;
        row.since = counted[found->at]->startedAt;
        row.levelNs = found->level;
        row.limitNs = found->limit;
        row.afterNs = found->after;
        row.change = found->change;
        const auto known = std::ranges::find_if(
            series.marks, [&](const Mark& mark) { return mark.state == RegressionState::acknowledged && mark.since == row.since; });
        if (known != series.marks.end()) {
            row.state = known->state;
            row.note = known->note;
        }
        return row;
    }
    if (series.marks.empty())
        return std::nullopt;
    const Mark& mark = series.marks.back();
    const auto first = std::ranges::find(series.runs, mark.since, &RunSummary::startedAt);
    row.firstRun = first == series.runs.end() ? std::string() : first->id.text;
    row.since = mark.since;
    row.state = mark.state;
    row.note = mark.note;
    return row;
}

/// How far a point may be from the median of its segment; kLeastChange of it at least.
double computeSlack(const std::vector<double>& points, double median)
{
    std::vector<double> distance;
    distance.reserve(points.size());
    for (const double point : points)
        distance.push_back(std::abs(point - median));
    // The MAD of ten points is often too small by chance.
    const double sigma = 1.4826 * computeMedian(distance) * (1 + 3 / static_cast<double>(points.size()));
    return std::max(kLeastChange * median, kSigmas * sigma);
}

Result<std::pair<SeriesKey, RunSeries>> findSeries(const Store& store, const std::string& which)
{
    KL_ASSIGN(const auto all, allSeries(store));
    const std::string id = which.starts_with("run:") ? which.substr(4) : which;
    std::vector<std::pair<SeriesKey, RunSeries>> fitting;
    std::string known;
    for (const auto& [key, series] : all) {
        const bool holds = std::ranges::any_of(series.runs, [&](const RunSummary& run) { return run.id.text == id; });
        const bool shown = detectRegression(key, series).has_value();
        if (shown)
            known += fmt::format("{}{} at {}", known.empty() ? "" : "; ", std::get<0>(key), std::get<1>(key));
        if (holds || (shown && std::get<0>(key) == which))
            fitting.emplace_back(key, series);
    }
    if (fitting.size() == 1)
        return std::move(fitting.front());
    if (fitting.empty())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("There is no regression of \"{}\".", which),
                     .hint = known.empty() ? "No kernel has become slower, so there is nothing to mark."
                                           : fmt::format("Regressions: {}.", known),
                     .where = which};
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("\"{}\" has {} series with a regression.", which, fitting.size()),
                 .hint = "Name the first slow run instead: run:ID.",
                 .where = which};
}

Result<KernelRegression> saveRunSeries(Store& store, const SeriesKey& key, RunSeries series)
{
    KL_TRY(store.setSetting(makeSettingName(key), encode(toJson(Marks{series.marks}))));
    if (std::optional<KernelRegression> row = detectRegression(key, series))
        return std::move(*row);
    KernelRegression none;
    std::tie(none.kernel, none.problem, none.device) = key;
    none.newest = series.runs.back().id.text;
    return none;
}

} // namespace

const char* toString(RegressionState state) noexcept
{
    for (const auto& [value, word] : enumWords(RegressionState{}))
        if (value == state)
            return word;
    return "";
}

std::optional<Regression> findRegression(const std::vector<double>& series)
{
    std::optional<Regression> found;
    std::size_t from = 0; // of the current segment
    for (std::size_t i = kInARow; i < series.size(); ++i) {
        const std::size_t last = i + 1 - kInARow; // the first of the points in a row
        const double least =
            *std::min_element(series.begin() + static_cast<std::ptrdiff_t>(last), series.begin() + static_cast<std::ptrdiff_t>(i + 1));
        const double most =
            *std::max_element(series.begin() + static_cast<std::ptrdiff_t>(last), series.begin() + static_cast<std::ptrdiff_t>(i + 1));
        if (found && most <= found->limit) { // recovered
            found.reset();
            from = last;
        }
        if (last < from + kRegressionPoints)
            continue;
        const std::size_t first = std::max(from, last - std::min(last, kMostPoints));
        const std::vector<double> segment(series.begin() + static_cast<std::ptrdiff_t>(first),
                                          series.begin() + static_cast<std::ptrdiff_t>(last));
        const double median = computeMedian(segment);
        const double leastSlack = kLeastChange * median;
        if (median <= 0 || (least <= median + leastSlack && most >= median - leastSlack)) // as nearly always
            continue;
        const double slack = computeSlack(segment, median);
        if (least > median + slack) {
            // A second step up is counted from the level before the first.
            found = Regression{last, found ? found->level : median, found ? found->limit : median + slack, 0, 0};
            from = last;
        } else if (most < median - slack) {
            from = last;
        }
    }
    if (found) {
        found->after = computeMedian({series.begin() + static_cast<std::ptrdiff_t>(found->at), series.end()});
        found->change = found->after / found->level - 1;
    }
    return found;
}

Result<std::vector<KernelRegression>> regressions(const Store& store)
{
    KL_ASSIGN(const auto all, allSeries(store));
    std::vector<KernelRegression> rows;
    for (const auto& [key, series] : all)
        if (std::optional<KernelRegression> row = detectRegression(key, series))
            rows.push_back(std::move(*row));
    std::stable_partition(rows.begin(), rows.end(), [](const KernelRegression& row) { return row.state == RegressionState::open; });
    return rows;
}

Result<KernelRegression> markRegression(Store& store, const std::string& which, RegressionState state, const std::string& note)
{
    if (state == RegressionState::open)
        return Error{.code = ErrorCode::badInput,
                     .message = "A regression is marked as acknowledged, fixed or new-normal.",
                     .hint = "To open it again, undo the mark.",
                     .where = which};
    KL_ASSIGN(auto named, findSeries(store, which));
    auto& [key, series] = named;
    const std::optional<KernelRegression> row = detectRegression(key, series);
    if (!row || row->levelNs <= 0)
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("{} at {} is not slower than before.", std::get<0>(key), std::get<1>(key)),
                     .hint = "There is nothing to mark.",
                     .where = which};
    series.marks.push_back({state, isoNow(), row->since, note});
    return saveRunSeries(store, key, std::move(series));
}

Result<KernelRegression> undoRegressionMark(Store& store, const std::string& which)
{
    KL_ASSIGN(auto named, findSeries(store, which));
    auto& [key, series] = named;
    if (series.marks.empty())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("{} at {} has no mark.", std::get<0>(key), std::get<1>(key)),
                     .hint = "There is nothing to undo.",
                     .where = which};
    series.marks.pop_back();
    return saveRunSeries(store, key, std::move(series));
}

Json regressionToJson(const KernelRegression& row)
{
    return Json{{"kernel", row.kernel},    {"problem", row.problem}, {"device", row.device},         {"run", row.firstRun},
                {"since", row.since},      {"newest", row.newest},   {"level_ns", row.levelNs},      {"limit_ns", row.limitNs},
                {"after_ns", row.afterNs}, {"change", row.change},   {"state", toString(row.state)}, {"note", row.note}};
}

} // namespace kl::inline learning
