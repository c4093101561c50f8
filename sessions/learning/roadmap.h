// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "sessions/learning/history.h"
#include "sessions/store/store.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline learning {

/// What a step asks for, so that it is done when the sessions show it, whatever they are called. All that is set has to be met.
struct StepGoal {
    std::vector<std::string> patterns;     ///< slugs that finished sessions taught or applied
    std::optional<int> patternCount;       ///< of different ones
    std::optional<int> cycles;             ///< sessions in which a change was kept or reverted by measurement
    std::optional<double> baselineMinutes; ///< a finished session that measured a speedup took no longer
    std::optional<double> speedup;         ///< of the best session
    std::vector<std::string> devices;      ///< a finished session on each: part of the device's name
    bool documented = false;               ///< every finished session has its document

    bool operator==(const StepGoal&) const = default;
    bool empty() const { return *this == StepGoal{}; }
};
/// "speedup of at least 0.50×; 30 min or less to a baseline"; empty for a goal that asks for nothing.
std::string goalText(const StepGoal& goal);

/// One goal, with the sessions that work on it.
struct RoadmapStep {
    std::string id;
    int week = 1;
    std::string title;
    std::vector<std::string> sessions; ///< names, of sessions that exist or are to come
    bool done = false;                 ///< ticked off by the user
    StepGoal asks = {};                ///< empty: only the user knows when it is done

    bool operator==(const RoadmapStep&) const = default;
};

struct RoadmapWeek {
    int week = 1;
    std::string title;

    bool operator==(const RoadmapWeek&) const = default;
};

/// The plan over several weeks: the four weeks of the October 2025 documents (resources/roadmap.json) until it is edited in a database.
struct Roadmap {
    std::string origin;
    std::vector<RoadmapWeek> weeks; ///< in order
    std::vector<RoadmapStep> steps; ///< in order; by week when shown

    bool operator==(const Roadmap&) const = default;
};

enum class StepState { planned, open, done };
const char* toString(StepState state) noexcept; ///< "planned", "open", "done"

/// Done when ticked off, or when the finished sessions show what it asks for; open when part of that is there or one of its sessions was
/// started; else planned. Sessions on recorded data show nothing.
StepState computeState(const RoadmapStep& step, const std::vector<HistoryRow>& rows);
/// Of each step, in their order; goes through the rows once.
std::vector<StepState> computeStates(const std::vector<RoadmapStep>& steps, const std::vector<HistoryRow>& rows);

/// Error badInput names the field, a step listed twice, or one whose week does not exist.
Result<Roadmap> parseRoadmap(std::string_view json, std::string_view where);

/// The plan of this database: as edited, else as shipped.
Result<Roadmap> loadRoadmap(const Store& store);
Status saveRoadmap(Store& store, const Roadmap& roadmap);
/// Back to the shipped plan.
Status resetRoadmap(Store& store);

/// Adds a step at the end of its week; its id is made from the title. A missing week is added.
/// Errors: badInput for a blank title or a week below 1.
Result<RoadmapStep> addStep(Roadmap& roadmap, int week, const std::string& title);
/// The step of an id. Error notFound lists the ids.
Result<RoadmapStep*> findRoadmapStep(Roadmap& roadmap, const std::string& id);

/// Changes to a step; empty members change nothing.
struct StepChange {
    std::string title;
    std::optional<int> week;
    std::vector<std::string> sessions; ///< replacing the current ones
    std::optional<bool> done;
    StepGoal asks = {}; ///< replacing the current one, unless empty
};
/// Errors as addStep and findRoadmapStep.
Status editStep(Roadmap& roadmap, const std::string& id, const StepChange& change);
Status removeStep(Roadmap& roadmap, const std::string& id);

} // namespace kl::inline learning
