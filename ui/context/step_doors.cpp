// SPDX-License-Identifier: MIT
#include "ui/context/step_doors.h"

#include "sessions/engine/action_table.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <array>

namespace kl::ui {
namespace {

/// A step's page. What it shows is one of the step's arguments, or `shown`, always the same.
struct Door {
    StepId step;
    const char* page;
    std::optional<StepArgument> argument;
    const char* shown = "";
};

constexpr std::array kDoors{
    Door{StepId::run, "kernels", StepArgument::kernel},
    Door{StepId::profile, "kernels", StepArgument::kernel},
    Door{StepId::compile, "kernels", StepArgument::kernel},
    Door{StepId::listKernels, "kernels", {}},
    Door{StepId::addKernel, "kernels", {}},
    Door{StepId::removeKernel, "kernels", StepArgument::kernel},
    Door{StepId::searchSpace, "search", StepArgument::kernel},
    Door{StepId::checkEnvironment, "environment", {}},
    Door{StepId::sharedMemory, "calculate", {}, "shared-memory"},
    Door{StepId::analyze, "diagnose", {}},
    Door{StepId::listCosts, "history", {}},
    Door{StepId::setPrice, "history", {}},
    Door{StepId::listPatterns, "patterns", {}},
    Door{StepId::newSession, "session", {}, "new"},
    Door{StepId::listSessions, "session", {}, "list"},
    Door{StepId::showSession, "session", StepArgument::session},
    Door{StepId::resumeSession, "session", StepArgument::session},
    Door{StepId::checkGate, "session", StepArgument::session},
    Door{StepId::stepSession, "session", StepArgument::session},
    Door{StepId::actInSession, "session", StepArgument::session},
    Door{StepId::waiveGate, "session", StepArgument::session},
    Door{StepId::setOption, "session", StepArgument::session},
    Door{StepId::writeReview, "session", StepArgument::session},
    Door{StepId::writeReport, "session", StepArgument::session},
    Door{StepId::noteInSession, "session", StepArgument::session},
    Door{StepId::suggestPatterns, "patterns", {}},
};

} // namespace

QString stepText(const NextStep& step)
{
    if (step.id == StepId::actInSession)
        if (const std::optional<SessionAction> action = actionNamed(step.at(StepArgument::action)))
            return q(rowOf(*action).title);
    return q(titleFor(step));
}

std::optional<StepDoor> doorOf(const NextStep& step)
{
    const auto door = std::ranges::find(kDoors, step.id, &Door::step);
    if (door == kDoors.end())
        return {};
    return StepDoor{stepText(step) + u'…', QString::fromLatin1(door->page),
                    door->argument ? q(step.at(*door->argument)) : QString::fromLatin1(door->shown)};
}

std::vector<MessageButton> buttonsOf(const std::vector<NextStep>& steps,
                                     const std::function<void(const QString& page, const QString& argument)>& navigate)
{
    std::vector<MessageButton> buttons;
    for (const NextStep& step : steps)
        if (const std::optional<StepDoor> door = doorOf(step))
            buttons.push_back({door->text, [navigate, door = *door] { navigate(door.page, door.argument); }});
    return buttons;
}

} // namespace kl::ui
