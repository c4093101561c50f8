// SPDX-License-Identifier: MIT
#include "app/kloop/search/simulate.h"

#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/search/strategy.h"
#include "sessions/search/recorded_export.h"
#include "sessions/search/recorded_file.h"
#include "sessions/search/recorded_search.h"
#include "sessions/search/simulation.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace kl::cli {
namespace {

constexpr std::size_t kCurveRows = 10;
constexpr std::size_t kCurvePoints = 100; ///< in JSON

/// The point of the curve that is this share of the way along it.
const ScorePoint& curveAt(const SearchScore& score, std::size_t i, std::size_t count)
{
    return score.curve[i * (score.curve.size() - 1) / (count - 1)];
}

Json intervalJson(const ScoreInterval& interval)
{
    return {{"value", interval.value}, {"low", interval.low}, {"high", interval.high}};
}

/// How many replays are near the optimum after so many evaluations; null where that was not asked for.
Json after(const SimulatedSearch& search, std::size_t trials)
{
    return trials == 0 ? Json(nullptr) : Json{{"trials", trials}, {"near", search.near}, {"near_optimum", kNear}};
}

Json searchJson(const SimulatedSearch& search, std::size_t trials)
{
    const SearchScore& result = search.result;
    Json to = Json::object();
    for (std::size_t i = 0; i < kOptimumShares.size(); ++i)
        to[fmt::format("{:.2f}", kOptimumShares[i])] =
            result.evaluationsTo[i] ? Json(static_cast<std::int64_t>(*result.evaluationsTo[i])) : Json(nullptr);
    Json curve = Json::array();
    for (std::size_t i = 0; i < kCurvePoints; ++i) {
        const ScorePoint& point = curveAt(result, i, kCurvePoints);
        curve.push_back({{"seconds", point.seconds}, {"best_ms", point.best}, {"random_ms", point.random}, {"score", point.score}});
    }
    return {{"space", search.space},
            {"points", search.size},
            {"strategy", search.strategy},
            {"repeats", search.repeats},
            {"score", intervalJson(result.score)},
            {"evaluations_to", std::move(to)},
            {"optimum_ms", result.optimum},
            {"optimum_per_found", result.meanFound},
            {"budget", {{"seconds", result.budgetSeconds}, {"random_evaluations", result.budgetEvaluations}}},
            {"evaluations", search.evaluations},
            {"failed", search.failed},
            {"after", after(search, trials)},
            {"curve", std::move(curve)}};
}

/// The mean over the spaces of one strategy.
ScoreInterval meanOver(const std::vector<SimulatedSearch>& searches, const std::string& strategy)
{
    std::vector<const SearchScore*> scores;
    for (const SimulatedSearch& search : searches)
        if (search.strategy == strategy)
            scores.push_back(&search.result);
    return meanScore(scores);
}

Json answerJson(const std::vector<SimulatedSearch>& searches, const std::vector<std::string>& names, const SimulationPlan& plan)
{
    Json answer{{"schema", "kernelloop.search-replay/1"}};
    if (searches.size() == 1) {
        answer.update(searchJson(searches.front(), plan.trials));
        answer["seed"] = plan.seed;
        return answer;
    }
    answer["seed"] = plan.seed;
    answer["results"] = Json::array();
    for (const SimulatedSearch& search : searches)
        answer["results"].push_back(searchJson(search, plan.trials));
    answer["mean"] = Json::array();
    for (const std::string& name : names)
        answer["mean"].push_back({{"strategy", name}, {"score", intervalJson(meanOver(searches, name))}});
    return answer;
}

std::string scoreText(const ScoreInterval& score)
{
    return fmt::format("{:.3f}  [{:.3f}, {:.3f}]", score.value, score.low, score.high);
}

std::string countText(const std::optional<double>& evaluations)
{
    return evaluations ? fmt::format("{:.0f}", *evaluations) : "–";
}

void printCurve(const SimulatedSearch& search)
{
    Table table({"Time>", "Best so far>", "Random search>", "P>"});
    for (std::size_t i = 0; i < kCurveRows; ++i) {
        const ScorePoint& point = curveAt(search.result, i, kCurveRows);
        table.add({formatTime(point.seconds * 1e9), formatTime(point.best * 1e6), formatTime(point.random * 1e6),
                   fmt::format("{:.2f}", point.score)});
    }
    printText("{}", table.text("  "));
}

void print(const std::vector<SimulatedSearch>& searches, const std::vector<std::string>& names, std::size_t trials)
{
    for (std::size_t first = 0; first < searches.size(); first += names.size()) {
        const SimulatedSearch& any = searches[first];
        printText("{}: {} points, optimum {}; budget {}, {} evaluations of random search; {} replays\n", any.space,
                  formatCount(static_cast<double>(any.size)), formatTime(any.result.optimum * 1e6),
                  formatTime(any.result.budgetSeconds * 1e9), any.result.budgetEvaluations, any.repeats);
        const std::string near = trials > 0 ? fmt::format("Within 2 % after {}>", trials) : ">";
        Table table({"Strategy", "P  [95 %]>", "Found>", "To 90 %>", "95 %>", "99 %>", near});
        for (std::size_t i = first; i < first + names.size(); ++i) {
            const SearchScore& result = searches[i].result;
            table.add({searches[i].strategy, scoreText(result.score), formatPercent(100 * result.meanFound),
                       countText(result.evaluationsTo[0]), countText(result.evaluationsTo[1]), countText(result.evaluationsTo[2]),
                       trials > 0 ? fmt::format("{} of {}", searches[i].near, searches[i].repeats) : ""});
        }
        printText("{}", table.text("  "));
        if (names.size() == 1)
            printCurve(any);
    }
    if (searches.size() == names.size())
        return;
    printText("Mean of {} spaces\n", searches.size() / names.size());
    Table table({"Strategy", "P  [95 %]>"});
    for (const std::string& name : names)
        table.add({name, scoreText(meanOver(searches, name))});
    printText("{}", table.text("  "));
}

/// Of a file, or of a search of the database.
Result<RecordedSpace> loadRecordedSpace(Program& program, const std::string& name)
{
    if (!name.starts_with(kSearchPrefix))
        return readRecordedSpace(name);
    KL_ASSIGN(Store * store, program.store());
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    return loadRecordedSearch(*store, *catalog, name.substr(kSearchPrefix.size()));
}

} // namespace

std::vector<std::string> strategyNames(const std::string& list)
{
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (std::ranges::find(names, name) == names.end())
            names.push_back(name);
    };
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');)
        if (word == "all")
            for (const StrategyRow& row : strategies())
                add(row.name);
        else
            add(word);
    return names;
}

Result<int> simulateSearch(Program& program, const SimulateOptions& options, const std::string& list, std::uint64_t seed, std::size_t width,
                           const std::string& exportTo)
{
    std::vector<RecordedSpace> spaces;
    for (const std::string& file : options.files) {
        program.job().report("reading " + file);
        KL_ASSIGN(RecordedSpace space, loadRecordedSpace(program, file));
        spaces.push_back(std::move(space));
    }
    if (!exportTo.empty() && spaces.size() != 1)
        return Error{.code = ErrorCode::usage, .message = "Only one space can be exported.", .hint = "Give one file.", .where = "--export"};
    if (!exportTo.empty())
        KL_TRY(writeRecordedSpace(spaces.front(), exportTo));
    const std::vector<std::string> names = strategyNames(list);
    const SimulationPlan plan{names, options.repeats, seed, width, options.trials};
    KL_ASSIGN(const std::vector<SimulatedSearch> searches, simulateSearches(std::move(spaces), plan, program.job()));
    if (!program.printAsJson(answerJson(searches, names, plan)))
        print(searches, names, plan.trials);
    return 0;
}

} // namespace kl::cli
