// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/try.h"
#include "sessions/learning/history_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct RoadmapAddOptions {
    std::string title;
    int week = 1;
    std::vector<std::string> sessions;
    StepGoal asks;
};

struct RoadmapEditOptions {
    std::string step;
    std::string title;
    std::optional<int> week;
    std::vector<std::string> sessions;
    bool done = false;
    bool undone = false;
    StepGoal asks;
};

void printRoadmap(const Roadmap& roadmap, const std::vector<HistoryRow>& rows)
{
    for (const RoadmapWeek& week : roadmap.weeks) {
        printText("{}\n", applyTone(fmt::format("Week {}: {}", week.week, week.title), Tone::strong));
        Table table({"", "", "", "", ""});
        for (const RoadmapStep& step : roadmap.steps) {
            if (step.week != week.week)
                continue;
            const StepState state = computeState(step, rows);
            table.add({applyTone(toString(state), state == StepState::done ? Tone::good : Tone::plain), step.id, step.title,
                       fmt::format("{}", fmt::join(step.sessions, ", ")), applyTone(goalText(step.asks), Tone::faint)});
        }
        printText("{}", table.text("  "));
    }
}

/// Changes the plan, where a change is given, and prints it.
Result<int> withRoadmap(Program& program, const std::function<Status(Roadmap&)>& change)
{
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(Roadmap roadmap, loadRoadmap(*store));
    if (change) {
        KL_TRY(change(roadmap));
        KL_TRY(saveRoadmap(*store, roadmap));
    }
    KL_ASSIGN(const History history, loadHistory(*store));
    if (!program.printAsJson(roadmapToJson(roadmap, history.rows)))
        printRoadmap(roadmap, history.rows);
    return 0;
}

Result<int> showRoadmap(Program& program)
{
    return withRoadmap(program, nullptr);
}

Result<int> addRoadmapStep(Program& program, const RoadmapAddOptions& options)
{
    return withRoadmap(program, [&](Roadmap& roadmap) -> Status {
        KL_ASSIGN(const RoadmapStep added, addStep(roadmap, options.week, options.title));
        RoadmapStep& step = **findRoadmapStep(roadmap, added.id);
        step.sessions = options.sessions;
        step.asks = options.asks;
        return {};
    });
}

Result<int> editRoadmapStep(Program& program, const RoadmapEditOptions& requested)
{
    return withRoadmap(program, [&](Roadmap& roadmap) -> Status {
        if (requested.title.empty() && !requested.week && requested.sessions.empty() && requested.asks.empty() && !requested.done &&
            !requested.undone)
            return Error{.code = ErrorCode::usage,
                         .message = "No change is given.",
                         .hint = "Give --title, --week, --session, --done, --undone, or what it asks for.",
                         .where = requested.step};
        return editStep(roadmap, requested.step,
                        {requested.title, requested.week, requested.sessions,
                         requested.done     ? std::optional(true)
                         : requested.undone ? std::optional(false)
                                            : std::nullopt,
                         requested.asks});
    });
}

Result<int> removeRoadmapStep(Program& program, const std::string& step)
{
    return withRoadmap(program, [&](Roadmap& roadmap) { return removeStep(roadmap, step); });
}

Result<int> resetPlan(Program& program)
{
    KL_ASSIGN(auto* store, program.store());
    KL_TRY(resetRoadmap(*store));
    return withRoadmap(program, nullptr);
}

/// What makes a step done; the options of `add` and `edit`.
void addGoal(CLI::App& app, StepGoal& asks)
{
    constexpr const char* kGroup = "Done when finished sessions show";
    addRepeated(app, "--pattern", asks.patterns, "Pattern that they taught or applied; may be given several times");
    addRepeated(app, "--device", asks.devices, "Device that one ran on, e.g. A100; may be given several times");
    app.add_option("--speedup", asks.speedup, "Speedup of the best one")->check(positiveNumber);
    app.add_option("--minutes", asks.baselineMinutes, "Minutes in which one measured a speedup")->check(positiveNumber);
    app.add_option("--cycles", asks.cycles, "Changes kept or reverted by measurement")->check(CLI::Range(1, 1000));
    app.add_flag("--documented", asks.documented, "A document of every one");
    for (const char* name : {"--pattern", "--device", "--speedup", "--minutes", "--cycles", "--documented"})
        app.get_option(name)->group(kGroup);
}

Runner addRoadmapAdd(CLI::App& app)
{
    const auto o = std::make_shared<RoadmapAddOptions>();
    app.add_option("TITLE", o->title, "What to achieve")->required();
    app.add_option("--week", o->week, "Week of the plan, from 1")->required();
    addRepeated(app, "--session", o->sessions, "Session that works on it; may be given several times");
    addGoal(app, o->asks);
    return [o](Program& program) { return addRoadmapStep(program, *o); };
}

Runner addRoadmapEdit(CLI::App& app)
{
    const auto o = std::make_shared<RoadmapEditOptions>();
    app.add_option("STEP", o->step, "Its id")->required();
    app.add_option("--title", o->title, "New title");
    app.add_option("--week", o->week, "New week");
    addRepeated(app, "--session", o->sessions, "Session that works on it, replacing the current ones; may be given several times");
    CLI::Option* done = app.add_flag("--done", o->done, "Mark as done");
    app.add_flag("--undone", o->undone, "Mark as not done")->excludes(done);
    addGoal(app, o->asks);
    return [o](Program& program) { return editRoadmapStep(program, *o); };
}

Runner addRoadmapRemove(CLI::App& app)
{
    const auto step = std::make_shared<std::string>();
    app.add_option("STEP", *step, "Its id")->required();
    return [step](Program& program) { return removeRoadmapStep(program, *step); };
}

Runner addRoadmapReset(CLI::App&)
{
    return resetPlan;
}

} // namespace

Runner addRoadmap(CLI::App& app)
{
    return addCommands(app,
                       {{"add", "Add a step", addRoadmapAdd},
                        {"edit", "Change a step", addRoadmapEdit},
                        {"remove", "Remove a step", addRoadmapRemove},
                        {"reset", "Go back to the shipped plan", addRoadmapReset}},
                       showRoadmap);
}

} // namespace kl::cli
