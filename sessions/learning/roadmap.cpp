// SPDX-License-Identifier: MIT
#include "sessions/learning/roadmap.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/fields.h"
#include "sessions/patterns/slug.h"

#include <algorithm>
#include <set>

namespace kl {

template <class V> void fields(V& v, RoadmapStep& s)
{
    v("id", s.id);
    v("week", s.week);
    v("title", s.title);
    v("sessions", s.sessions);
    v("done", s.done);
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

Error malformed(std::string_view where, const std::string& message)
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

StepState stateOf(const RoadmapStep& step, const std::vector<HistoryRow>& rows)
{
    if (step.done)
        return StepState::done;
    std::size_t begun = 0;
    std::size_t complete = 0;
    for (const std::string& name : step.sessions) {
        // Shipped sessions came before the plan.
        const auto row = std::find_if(rows.rbegin(), rows.rend(), [&](const HistoryRow& r) { return !r.sample && r.name == name; });
        begun += row != rows.rend() ? 1U : 0U;
        complete += row != rows.rend() && row->status == SessionStatus::complete ? 1U : 0U;
    }
    return begun == 0 ? StepState::planned : complete == step.sessions.size() ? StepState::done : StepState::open;
}

Result<Roadmap> parseRoadmap(std::string_view text, std::string_view where)
{
    KL_ASSIGN(const Json json, parseJson(text, where));
    Result<Roadmap> roadmap = fromJson<Roadmap>(json, where);
    if (!roadmap)
        return roadmap;
    std::set<std::string> ids;
    for (const RoadmapStep& step : roadmap->steps) {
        if (step.id.empty() || step.title.empty())
            return malformed(where, "a step has no id or title.");
        if (!ids.insert(step.id).second)
            return malformed(where, fmt::format("step \"{}\" is listed twice.", step.id));
        if (!hasWeek(*roadmap, step.week))
            return malformed(where, fmt::format("step \"{}\" is in week {}, which does not exist.", step.id, step.week));
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
    RoadmapStep step{slugOf(title), week, title, {}, false};
    const std::string stem = step.id;
    const auto taken = [&] {
        return std::any_of(roadmap.steps.begin(), roadmap.steps.end(), [&](const RoadmapStep& s) { return s.id == step.id; });
    };
    for (int n = 2; taken(); ++n)
        step.id = fmt::format("{}-{}", stem, n);
    place(roadmap, step);
    return step;
}

Result<RoadmapStep*> stepOf(Roadmap& roadmap, const std::string& id)
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
    KL_ASSIGN(auto* found, stepOf(roadmap, id));
    RoadmapStep step = *found;
    if (!change.title.empty())
        step.title = change.title;
    if (!change.sessions.empty())
        step.sessions = change.sessions;
    step.done = change.done.value_or(step.done);
    if (!change.week || *change.week == step.week) {
        *found = step;
        return {};
    }
    if (const Status fine = soundWeek(*change.week); !fine)
        return fine;
    step.week = *change.week;
    std::erase_if(roadmap.steps, [&](const RoadmapStep& other) { return other.id == id; });
    place(roadmap, step);
    return {};
}

Status removeStep(Roadmap& roadmap, const std::string& id)
{
    if (const Result<RoadmapStep*> step = stepOf(roadmap, id); !step)
        return step.error();
    std::erase_if(roadmap.steps, [&](const RoadmapStep& step) { return step.id == id; });
    return {};
}

} // namespace kl
