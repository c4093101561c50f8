// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "sessions/learning/history_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

void printRoadmap(const Roadmap& roadmap, const std::vector<HistoryRow>& rows)
{
    for (const RoadmapWeek& week : roadmap.weeks) {
        printText("{}\n", toned(fmt::format("Week {}: {}", week.week, week.title), Tone::strong));
        Table table({"", "", "", ""});
        for (const RoadmapStep& step : roadmap.steps) {
            if (step.week != week.week)
                continue;
            const StepState state = stateOf(step, rows);
            table.add({toned(toString(state), state == StepState::done ? Tone::good : Tone::plain), step.id, step.title,
                       fmt::format("{}", fmt::join(step.sessions, ", "))});
        }
        printText("{}", table.text("  "));
    }
}

/// Changes the plan, where a change is given, and prints it.
Result<int> withRoadmap(Program& program, const std::function<Status(Roadmap&)>& change)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    Result<Roadmap> roadmap = loadRoadmap(**store);
    if (!roadmap)
        return roadmap.error();
    if (change) {
        if (const Status changed = change(*roadmap); !changed)
            return changed.error();
        if (const Status saved = saveRoadmap(**store, *roadmap); !saved)
            return saved.error();
    }
    const Result<History> history = loadHistory(**store);
    if (!history)
        return history.error();
    if (!program.printed(roadmapToJson(*roadmap, history->rows)))
        printRoadmap(*roadmap, history->rows);
    return 0;
}

} // namespace

Result<int> commandRoadmap(Program& program, const Options&)
{
    return withRoadmap(program, nullptr);
}

Result<int> commandRoadmapAdd(Program& program, const Options& options)
{
    return withRoadmap(program, [&](Roadmap& roadmap) -> Status {
        const Result<RoadmapStep> added = addStep(roadmap, options.learning.week.value_or(1), options.learning.title);
        if (!added)
            return added.error();
        (*stepOf(roadmap, added->id))->sessions = options.learning.sessions;
        return {};
    });
}

Result<int> commandRoadmapEdit(Program& program, const Options& options)
{
    return withRoadmap(program, [&](Roadmap& roadmap) -> Status {
        const LearningOptions& said = options.learning;
        if (said.title.empty() && !said.week && said.sessions.empty() && !said.done && !said.undone)
            return Error{
                ErrorCode::usage, "Nothing is to be changed.", "Say --title, --week, --session, --done or --undone.", options.first, {}};
        return editStep(roadmap, options.first,
                        {said.title, said.week, said.sessions,
                         said.done     ? std::optional(true)
                         : said.undone ? std::optional(false)
                                       : std::nullopt});
    });
}

Result<int> commandRoadmapRemove(Program& program, const Options& options)
{
    return withRoadmap(program, [&](Roadmap& roadmap) { return removeStep(roadmap, options.first); });
}

Result<int> commandRoadmapReset(Program& program, const Options&)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    if (const Status reset = resetRoadmap(**store); !reset)
        return reset.error();
    return withRoadmap(program, nullptr);
}

} // namespace kl
