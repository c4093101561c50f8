// SPDX-License-Identifier: MIT
#include "sessions/learning/recommend.h"

#include "core/base/try.h"
#include "sessions/learning/own_cases.h"

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

std::string composeSentence(const std::vector<Recommendation>& changes)
{
    if (changes.empty())
        return "No known change is likely to help.";
    const FixChance& best = changes.front().chance;
    return fmt::format("{}: {}, {}, {}.",
                       best.chance >= kLikely && best.gain >= std::log(kWorthwhile) ? "Likely fix"
                                                                                    : "No change is likely to pay off; the best one",
                       lowerFirstLetter(changes.front().title), fixChanceText(best.chance, true), explainBasis(best));
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
    Advice advice{toText(run.kernel), toText(run.problem), state.classId, {}, {}, model.cases(), model.ownCases(), model.calibrated()};
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
    std::ranges::stable_sort(chances, std::ranges::greater{}, &FixChance::gain);
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
    advice.sentence = composeSentence(advice.changes);
    return advice;
}

void weigh(Diagnosis& diagnosis, const RunRecord& run, const DiagnosisTree& tree, const FixModel& model)
{
    const FixState state = computeState(run, tree);
    const auto weighFixes = [&](std::vector<Fix>& fixes) {
        for (Fix& fix : fixes) {
            if (fix.kind.empty())
                continue;
            const FixChance chance = model.estimateChance(state, fix.kind);
            fix.confidence = chance.chance;
            fix.cases = chance.cases;
            fix.gain = chance.reduction();
        }
        // What leaves the kernel as it is has no gain, and keeps the place that the tree gives it: before the changes, or behind them.
        const auto place = [](const Fix& fix) { return !fix.variant.empty() ? 0 : !fix.kind.empty() ? 1 : 2; };
        const auto better = [](const Fix& a, const Fix& b) { return a.gain.value_or(0) > b.gain.value_or(0); };
        for (auto begin = fixes.begin(); begin != fixes.end();) {
            const auto end = std::find_if(begin, fixes.end(), [&](const Fix& fix) { return place(fix) != place(*begin); });
            std::stable_sort(begin, end, better);
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
