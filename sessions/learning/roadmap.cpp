// SPDX-License-Identifier: MIT
#include "sessions/learning/roadmap.h"

#include "core/base/format.h"
#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/fields.h"
#include "sessions/learning/scripted.h"
#include "sessions/patterns/slug.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <set>

namespace kl::inline learning {

template <class V> void fields(V& v, StepGoal& g)
{
    v("patterns", g.patterns);
    v("pattern_count", g.patternCount);
    v("cycles", g.cycles);
    v("baseline_minutes", g.baselineMinutes);
    v("speedup", g.speedup);
    v("devices", g.devices);
    v("documented", g.documented);
}

template <class V> void fields(V& v, RoadmapStep& s)
{
    v("id", s.id);
    v("week", s.week);
    v("title", s.title);
    v("sessions", s.sessions);
    v("done", s.done);
    v("asks", s.asks);
}

template <class V> void fields(V& v, RoadmapWeek& w)
{
    v("week", w.week);
    v("title", w.title);
}

template <class V> void fields(V& v, Roadmap& r)
{
    v("origin", r.origin);
    v("weeks", r.weeks);
    v("steps", r.steps);
}

namespace {

constexpr const char* kSetting = "roadmap";

Error makeMalformedError(std::string_view where, const std::string& message)
{
    return {.code = ErrorCode::badInput, .message = fmt::format("{}: {}", where, message), .where = std::string(where)};
}

bool hasWeek(const Roadmap& roadmap, int week)
{
    return std::any_of(roadmap.weeks.begin(), roadmap.weeks.end(), [&](const RoadmapWeek& w) { return w.week == week; });
}

Status soundWeek(int week)
{
    constexpr int kLongestPlan = 520; // ten years
    if (week >= 1 && week <= kLongestPlan)
        return {};
    return Error{.code = ErrorCode::badInput,
                 .message = fmt::format("{} is not a valid week.", week),
                 .hint = "Weeks count from 1.",
                 .where = "week"};
}

/// What finished sessions show together. Replayed ones show nothing.
struct Shown {
    int sessions = 0;
    std::set<std::string> patterns;
    int cycles = 0;
    std::optional<double> baselineMinutes; ///< the shortest
    std::optional<double> speedup;         ///< the best
    std::vector<std::string> devices;
    bool documented = true;
};

Shown collectShown(const std::vector<HistoryRow>& rows)
{
    Shown all;
    for (const HistoryRow& row : rows) {
        if (row.replayed || isScriptedKind(row.kind) || row.status == SessionStatus::open)
            continue;
        ++all.sessions;
        all.patterns.insert(row.learned.begin(), row.learned.end());
        all.patterns.insert(row.patterns.begin(), row.patterns.end());
        all.cycles += row.statusText == "kept" || row.statusText == "reverted" ? 1 : 0;
        all.devices.push_back(row.device);
        all.documented = all.documented && row.documented;
        const std::optional<Figure> minutes = findShownFigure(row.minutes);
        const std::optional<Figure> speedup = findShownFigure(row.speedup);
        if (speedup && speedup->value > all.speedup.value_or(0))
            all.speedup = speedup->value;
        if (speedup && minutes && minutes->value < all.baselineMinutes.value_or(minutes->value + 1))
            all.baselineMinutes = minutes->value;
    }
    all.documented = all.documented && all.sessions > 0;
    return all;
}

/// How many of a goal's demands there are, and how many are met.
struct Progress {
    int demands = 0;
    int met = 0;

    void count(bool isMet)
    {
        ++demands;
        met += isMet ? 1 : 0;
    }
};

Progress countProgress(const StepGoal& goal, const Shown& all)
{
    Progress progress;
    for (const std::string& slug : goal.patterns)
        progress.count(all.patterns.contains(slug));
    for (const std::string& device : goal.devices)
        progress.count(std::ranges::any_of(all.devices, [&](const std::string& name) { return name.find(device) != std::string::npos; }));
    if (goal.patternCount)
        progress.count(static_cast<int>(all.patterns.size()) >= *goal.patternCount);
    if (goal.cycles)
        progress.count(all.cycles >= *goal.cycles);
    if (goal.baselineMinutes)
        progress.count(all.baselineMinutes && *all.baselineMinutes <= *goal.baselineMinutes);
    if (goal.speedup)
        progress.count(all.speedup && *all.speedup >= *goal.speedup);
    if (goal.documented)
        progress.count(all.documented);
    return progress;
}

/// At the end of its week, which is added when it is not there.
void place(Roadmap& roadmap, const RoadmapStep& step)
{
    const auto later = [&](const auto& item) { return item.week > step.week; };
    if (!hasWeek(roadmap, step.week))
        roadmap.weeks.insert(std::find_if(roadmap.weeks.begin(), roadmap.weeks.end(), later),
                             {step.week, fmt::format("Week {}", step.week)});
    roadmap.steps.insert(std::find_if(roadmap.steps.begin(), roadmap.steps.end(), later), step);
}

} // namespace

const char* toString(StepState state) noexcept
{
    return state == StepState::done ? "done" : state == StepState::open ? "open" : "planned";
}

namespace {

StepState computeState(const RoadmapStep& step, const std::vector<HistoryRow>& rows, const Shown& all)
{
    if (step.done)
        return StepState::done;
    const Progress progress = countProgress(step.asks, all);
    if (progress.demands > 0 && progress.met == progress.demands)
        return StepState::done;
    const bool begun = std::ranges::any_of(step.sessions, [&](const std::string& name) {
        return std::ranges::any_of(rows, [&](const HistoryRow& row) { return !row.sample && row.name == name; });
    });
    return begun || progress.met > 0 ? StepState::open : StepState::planned;
}

} // namespace

StepState computeState(const RoadmapStep& step, const std::vector<HistoryRow>& rows)
{
    return computeState(step, rows, collectShown(rows));
}

std::vector<StepState> computeStates(const std::vector<RoadmapStep>& steps, const std::vector<HistoryRow>& rows)
{
    const Shown all = collectShown(rows);
    std::vector<StepState> states;
    for (const RoadmapStep& step : steps)
        states.push_back(computeState(step, rows, all));
    return states;
}

std::string goalText(const StepGoal& goal)
{
    std::vector<std::string> parts;
    if (!goal.patterns.empty())
        parts.push_back(fmt::format("patterns taught or applied: {}", fmt::join(goal.patterns, ", ")));
    if (goal.patternCount)
        parts.push_back(fmt::format("{} different patterns taught or applied", *goal.patternCount));
    if (goal.cycles)
        parts.push_back(
            fmt::format("{} kept or reverted by measurement", *goal.cycles == 1 ? "one change" : fmt::format("{} changes", *goal.cycles)));
    if (goal.baselineMinutes)
        parts.push_back(fmt::format("a session with a measured speedup in at most {}", formatMinutes(*goal.baselineMinutes)));
    if (goal.speedup)
        parts.push_back(fmt::format("a speedup of at least {}", formatRatio(*goal.speedup)));
    if (!goal.devices.empty())
        parts.push_back(fmt::format("a finished session on {}", fmt::join(goal.devices, " and ")));
    if (goal.documented)
        parts.push_back("every finished session documented");
    return fmt::format("{}", fmt::join(parts, "; "));
}

Result<Roadmap> parseRoadmap(std::string_view text, std::string_view where)
{
    KL_ASSIGN(const Json json, parseJson(text, where));
    KL_ASSIGN(Roadmap roadmap, fromJson<Roadmap>(json, where));
    std::set<std::string> ids;
    for (const RoadmapStep& step : roadmap.steps) {
        if (step.id.empty() || step.title.empty())
            return makeMalformedError(where, "a step has no id or title.");
        if (!ids.insert(step.id).second)
            return makeMalformedError(where, fmt::format("step \"{}\" is listed twice.", step.id));
        if (!hasWeek(roadmap, step.week))
            return makeMalformedError(where, fmt::format("step \"{}\" is in week {}, which does not exist.", step.id, step.week));
    }
    return roadmap;
}

Result<Roadmap> loadRoadmap(const Store& store)
{
    if (const std::optional<std::string> own = store.setting(kSetting); own && !own->empty())
        return parseRoadmap(*own, "setting roadmap");
    constexpr const char* kPath = "resources/roadmap.json";
    KL_ASSIGN(const std::string_view text, resource(kPath));
    return parseRoadmap(text, kPath);
}

Status saveRoadmap(Store& store, const Roadmap& roadmap)
{
    return store.setSetting(kSetting, encode(toJson(roadmap)));
}

Status resetRoadmap(Store& store)
{
    return store.setSetting(kSetting, {});
}

Result<RoadmapStep> addStep(Roadmap& roadmap, int week, const std::string& title)
{
    if (title.find_first_not_of(" \t\n") == std::string::npos)
        return Error{.code = ErrorCode::badInput,
                     .message = "The step has no title.",
                     .hint = "Describe the goal in a few words.",
                     .where = "title"};
    KL_TRY(soundWeek(week));
    RoadmapStep step{makeSlug(title), week, title, {}, false};
    const std::string stem = step.id;
    const auto taken = [&] {
        return std::any_of(roadmap.steps.begin(), roadmap.steps.end(), [&](const RoadmapStep& s) { return s.id == step.id; });
    };
    for (int n = 2; taken(); ++n)
        step.id = fmt::format("{}-{}", stem, n);
    place(roadmap, step);
    return step;
}

Result<RoadmapStep*> findRoadmapStep(Roadmap& roadmap, const std::string& id)
{
    std::string ids;
    for (RoadmapStep& step : roadmap.steps) {
        if (step.id == id)
            return &step;
        ids += (ids.empty() ? "" : ", ") + step.id;
    }
    return Error{.code = ErrorCode::notFound,
                 .message = fmt::format("The roadmap has no step \"{}\".", id),
                 .hint = "Steps: " + ids + '.',
                 .where = id};
}

Status editStep(Roadmap& roadmap, const std::string& id, const StepChange& change)
{
    KL_ASSIGN(auto* found, findRoadmapStep(roadmap, id));
    RoadmapStep step = *found;
    if (!change.title.empty())
        step.title = change.title;
    if (!change.sessions.empty())
        step.sessions = change.sessions;
    step.done = change.done.value_or(step.done);
    if (!change.asks.empty())
        step.asks = change.asks;
    if (!change.week || *change.week == step.week) {
        *found = step;
        return {};
    }
    KL_TRY(soundWeek(*change.week));
    step.week = *change.week;
    std::erase_if(roadmap.steps, [&](const RoadmapStep& other) { return other.id == id; });
    place(roadmap, step);
    return {};
}

Status removeStep(Roadmap& roadmap, const std::string& id)
{
    KL_ASSIGN([[maybe_unused]] const RoadmapStep* found, findRoadmapStep(roadmap, id));
    std::erase_if(roadmap.steps, [&](const RoadmapStep& step) { return step.id == id; });
    return {};
}

} // namespace kl::inline learning
