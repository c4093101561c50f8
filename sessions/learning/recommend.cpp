// SPDX-License-Identifier: MIT
#include "sessions/learning/recommend.h"

#include "core/base/try.h"
#include "sessions/learning/fix_order.h"
#include "sessions/learning/own_cases.h"
#include "sessions/measure/compare.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>

namespace kl::inline learning {
namespace {

/// Below this chance, or this expected gain, nothing is called a likely fix.
constexpr double kLikely = 0.3;
constexpr double kWorthwhile = 1.10;

/// Points of the kernel that one change leads to: variants, and every other value of each tunable.
std::vector<Address> neighbors(const Catalog& catalog, const Address& from, const Params& problem)
{
    const Result<const KernelFamily*> family = catalog.family(from.family);
    const Result<const Variant*> variant = catalog.variant(from);
    if (!family || !variant)
        return {};
    std::vector<Address> points;
    for (const Variant& other : (*family)->variants)
        if (other.id != from.variant)
            points.push_back({from.family, other.id, from.tunables});
    for (const Tunable& tunable : (*family)->tunables)
        if (std::ranges::count((*variant)->tunables, tunable.name) > 0)
            for (const ParamValue& value : tunable.values) {
                Address point = from;
                if (value == tunable.defaultValue)
                    point.tunables.erase(tunable.name);
                else
                    point.tunables[tunable.name] = value;
                if (point != from)
                    points.push_back(std::move(point));
            }
    std::erase_if(points, [&](const Address& point) { return !catalog.work(point, problem); });
    return points;
}

/// A variant's own words are about the step that it fixes: they hold where the change from here to there is of the same kind.
bool saysSo(const Catalog& catalog, const std::string& kind, const Address& ready)
{
    const Result<const Variant*> variant = catalog.variant(ready);
    return ready.tunables.empty() && variant && !(*variant)->fixTitle.empty() && !(*variant)->fixes.empty() &&
           classifyChange(catalog, {ready.family, (*variant)->fixes, {}}, ready) == kind;
}

/// `ready`: those of this kind. A kind that is not in the tree is shown by its id: "larger-tiles".
std::string titleFor(const std::string& kind, const Catalog& catalog, const DiagnosisTree& tree, const std::vector<Address>& ready)
{
    const auto found = std::ranges::find_if(ready, [&](const Address& point) { return saysSo(catalog, kind, point); });
    if (found != ready.end())
        return (*catalog.variant(*found))->fixTitle;
    const std::string known = tree.fixTitle(kind);
    if (!known.empty())
        return known;
    std::string words = kind;
    std::ranges::replace(words, '-', ' ');
    return fmt::format("Try {}", words);
}

/// The variant that fixes this one comes before the others of its kind.
void putFixesFirst(std::vector<Address>& ready, const Catalog& catalog, const std::string& from)
{
    std::stable_partition(ready.begin(), ready.end(), [&](const Address& point) {
        const Result<const Variant*> variant = catalog.variant(point);
        return variant && (*variant)->fixes == from;
    });
}

std::string lowerFirstLetter(std::string title)
{
    // An abbreviation keeps its capitals.
    if (title.size() > 1 && std::isupper(static_cast<unsigned char>(title[0])) && !std::isupper(static_cast<unsigned char>(title[1])))
        title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
    return title;
}

std::string explainBasis(const FixChance& chance)
{
    if (chance.learned)
        return fmt::format("from {} similar cases in {} kernel{}", chance.cases, chance.kernels, chance.kernels == 1 ? "" : "s");
    return chance.cases == 0
               ? "by the diagnosis tree: no similar case was measured"
               : fmt::format("by the diagnosis tree: {} similar case{} too few", chance.cases, chance.cases == 1 ? " is" : "s are");
}

bool isLikely(const Recommendation& change)
{
    return change.chance.chance >= kLikely && change.chance.gain >= std::log(kWorthwhile);
}

/// The first change that is likely; where none is, the one with the largest expected gain.
std::size_t findRecommended(const std::vector<Recommendation>& changes)
{
    auto best = std::ranges::find_if(changes, isLikely);
    if (best == changes.end())
        best = std::ranges::max_element(changes, {}, [](const Recommendation& change) { return change.chance.gain; });
    return static_cast<std::size_t>(best - changes.begin());
}

std::string composeSentence(const Advice& advice)
{
    if (advice.changes.empty())
        return "No known change is likely to help.";
    const Recommendation& best = advice.changes[advice.best];
    return fmt::format("{}: {}, {}, {}.", isLikely(best) ? "Likely fix" : "No change is likely to pay off; the best one",
                       lowerFirstLetter(best.title), fixChanceText(best.chance.chance, true), explainBasis(best.chance));
}

/// The fixes of the run's finding, in the tree's order: those that a variant makes first.
std::vector<Fix> listFindingFixes(const RunRecord& run, const Catalog& catalog, const DiagnosisTree& tree)
{
    return tree.diagnose(run, catalogFixesFor(catalog, run)).finding.fixes;
}

/// Whether one of these points is a variant that the finding offers as a fix.
bool isOffered(const std::vector<Address>& points, const std::vector<Fix>& fixes)
{
    return std::ranges::any_of(points, [&](const Address& point) {
        return std::ranges::find(fixes, toText(Address{point.family, point.variant, {}}), &Fix::variant) != fixes.end();
    });
}

/// In FixOrder; `ready`: the points of the kernel that have each kind of change.
void putInOrder(std::vector<FixChance>& chances, const std::vector<Fix>& fixes, const std::map<std::string, std::vector<Address>>& ready)
{
    const auto inTree = [&](const FixChance& chance) { return std::ranges::find(fixes, chance.kind, &Fix::kind) - fixes.begin(); };
    std::ranges::stable_sort(chances, {}, inTree);
    std::ranges::stable_sort(chances, std::ranges::greater{}, [&](const FixChance& chance) {
        const auto points = ready.find(chance.kind);
        return FixOrder{points != ready.end() && isOffered(points->second, fixes), chance.gain};
    });
}

} // namespace

Result<std::shared_ptr<const FixModel>> loadShippedModel()
{
    static const Result<std::shared_ptr<const FixModel>> model = []() -> Result<std::shared_ptr<const FixModel>> {
        KL_ASSIGN(std::vector<FixState> states, loadShippedStates());
        return std::make_shared<const FixModel>(FixModel::makeTrained(std::move(states)));
    }();
    return model;
}

Result<std::shared_ptr<const FixModel>> trainModel(const Store& store, const Catalog& catalog, const DiagnosisTree& tree)
{
    Result<std::shared_ptr<const FixModel>> shipped = loadShippedModel();
    Result<std::vector<FixState>> own = ownStates(store, catalog, tree);
    if (!shipped || !own)
        return shipped ? own.error() : shipped.error();
    if (own->empty())
        return shipped;
    std::vector<FixState> states = (*shipped)->states();
    std::ranges::move(*own, std::back_inserter(states));
    return std::make_shared<const FixModel>(FixModel::makeTrained(std::move(states)));
}

Advice advise(const RunRecord& run, const Catalog& catalog, const DiagnosisTree& tree, const FixModel& model)
{
    const FixState state = computeState(run, tree);
    Advice advice{toText(run.kernel), toText(run.problem), state.classId, {}, {}, 0, model.cases(), model.ownCases(), model.calibrated()};
    if (state.classId == "invalid") {
        advice.sentence = "This run gives no verdict: make the result correct and the time stable first.";
        return advice;
    }
    std::map<std::string, std::vector<Address>> ready;
    for (const Address& point : neighbors(catalog, run.kernel, run.problem))
        if (const std::optional<std::string> kind = classifyChange(catalog, run.kernel, point))
            ready[*kind].push_back(point);
    for (auto& [kind, points] : ready)
        putFixesFirst(points, catalog, run.kernel.variant);
    std::vector<FixChance> chances = model.rank(state);
    for (const auto& [kind, points] : ready)
        if (std::ranges::find(chances, kind, &FixChance::kind) == chances.end())
            chances.push_back(model.estimateChance(state, kind));
    putInOrder(chances, listFindingFixes(run, catalog, tree), ready);
    for (const FixChance& chance : chances) {
        const auto offered = ready.find(chance.kind);
        const bool elsewhere = offered == ready.end() && !state.trust.contains(chance.kind);
        if (elsewhere && (!chance.learned || !tree.mayApply(chance.kind, run)))
            continue;
        const std::vector<Address> points = offered != ready.end() ? offered->second : std::vector<Address>();
        Recommendation change{chance, titleFor(chance.kind, catalog, tree, points), {}};
        for (const Address& point : points)
            change.ready.push_back(toText(point));
        advice.changes.push_back(std::move(change));
    }
    advice.best = findRecommended(advice.changes);
    advice.sentence = composeSentence(advice);
    return advice;
}

void weigh(Diagnosis& diagnosis, const RunRecord& run, const DiagnosisTree& tree, const FixModel& model)
{
    const FixState state = computeState(run, tree);
    const auto weighFixes = [&](std::vector<Fix>& fixes) {
        std::map<std::string, double> gains; // by kind
        for (Fix& fix : fixes) {
            if (fix.kind.empty())
                continue;
            const FixChance chance = model.estimateChance(state, fix.kind);
            fix.confidence = chance.chance;
            fix.cases = chance.cases;
            fix.gain = chance.reduction();
            gains[fix.kind] = chance.gain;
        }
        const auto order = [&](const Fix& fix) {
            const auto known = gains.find(fix.kind);
            return FixOrder{!fix.variant.empty(), known != gains.end() ? known->second : 0};
        };
        // What leaves the kernel as it is has no gain, and keeps the place that the tree gives it: before the changes, or behind them.
        const auto isChange = [](const Fix& fix) { return !fix.variant.empty() || !fix.kind.empty(); };
        for (auto begin = fixes.begin(); begin != fixes.end();) {
            const auto end = std::find_if(begin, fixes.end(), [&](const Fix& fix) { return isChange(fix) != isChange(*begin); });
            std::ranges::stable_sort(begin, end, std::ranges::greater{}, order);
            begin = end;
        }
    };
    weighFixes(diagnosis.finding.fixes);
    for (Finding& finding : diagnosis.secondary)
        weighFixes(finding.fixes);
}

std::optional<Warning> weighBy(const Result<std::shared_ptr<const FixModel>>& model, RunRecord& run, const DiagnosisTree& tree)
{
    if (!model)
        return Warning{"no-recommender",
                       "The chances of the fixes come from the diagnosis tree: the learned model cannot be read. " + model.error().message};
    weigh(*run.diagnosis, run, tree, **model);
    return {};
}

} // namespace kl::inline learning
