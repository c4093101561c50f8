// SPDX-License-Identifier: MIT
#include "ui/context/step_doors.h"

#include "sessions/engine/action_table.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <array>

namespace kl::ui {
namespace {

/// A step's page. What it shows is one of the step's arguments, or `shown`, always the same, or both: "calibrate:transpose/naive"; see
/// shownBy().
struct Door {
    StepId step;
    const char* page;
    std::optional<StepArgument> argument;
    const char* shown = "";
};

constexpr std::array kDoors{
    Door{StepId::run, "kernels", StepArgument::kernel},
    Door{StepId::profile, "kernels", StepArgument::kernel},
    Door{StepId::profileProgram, kToolPage, StepArgument::program, "profile-program"},
    Door{StepId::compareInTurn, "compare", {}},
    Door{StepId::recordTimeline, "kernels", StepArgument::kernel},
    Door{StepId::calibrate, kToolPage, StepArgument::kernel, "calibrate"},
    Door{StepId::compile, "kernels", StepArgument::kernel},
    Door{StepId::listKernels, "kernels", {}},
    Door{StepId::newKernel, kToolPage, {}, "new-kernel"},
    Door{StepId::addKernel, "kernels", {}},
    Door{StepId::removeKernel, "kernels", StepArgument::kernel},
    Door{StepId::searchSpace, "search", StepArgument::kernel},
    Door{StepId::checkEnvironment, "environment", {}},
    Door{StepId::sharedMemory, "calculate", {}, "shared-memory"},
    Door{StepId::listMetrics, "diagnose", {}, "metric:"},
    Door{StepId::analyze, "diagnose", {}},
    Door{StepId::exportRuns, kToolPage, {}, "export-runs"},
    Door{StepId::checkDatabase, kToolPage, {}, "check-database"},
    Door{StepId::listCosts, "history", {}, "money"},
    Door{StepId::setPrice, "history", {}, "money"},
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
    Door{StepId::showPattern, "patterns", StepArgument::pattern},
    Door{StepId::applyPattern, "patterns", StepArgument::pattern},
};

constexpr std::array kCommandLineSteps{
    CommandLineStep{StepId::profileWithNcu, "another program"},
    CommandLineStep{StepId::traceWithNsys, "another program"},
    CommandLineStep{StepId::treeNames, "for writing a tree in an editor"},
    CommandLineStep{StepId::treeText, "for writing a tree in an editor"},
    CommandLineStep{StepId::allowCommand, "the window asks by itself, once a command is to run"},
    CommandLineStep{StepId::listAllowed, "the window asks by itself, once a command is to run"},
    CommandLineStep{StepId::writeFixCases, "only the command line writes and reads that file"},
};

/// What the page is to show: of two kernels and of a new session, more than one argument.
QString shownBy(const Door& door, const NextStep& step)
{
    const auto at = [&](StepArgument argument) { return exact(step.at(argument)); };
    const bool onKernel = !step.at(StepArgument::kernel).empty();
    if (step.id == StepId::compareInTurn && onKernel && !step.at(StepArgument::other).empty())
        return QStringLiteral("kernels:%1 %2 %3")
            .arg(at(StepArgument::kernel), at(StepArgument::other), at(StepArgument::problem))
            .trimmed();
    if (step.id == StepId::newSession && onKernel) {
        const QString kind = at(StepArgument::kind);
        const QString problem = at(StepArgument::problem);
        return QStringLiteral("kernel:") + at(StepArgument::kernel) + (kind.isEmpty() && problem.isEmpty() ? QString() : u'#' + kind) +
               (problem.isEmpty() ? QString() : u'#' + problem);
    }
    const QString shown = QString::fromLatin1(door.shown);
    const QString argument = door.argument ? at(*door.argument) : QString();
    return shown.isEmpty() || argument.isEmpty() ? shown + argument : shown + u':' + argument;
}

} // namespace

QString stepText(const NextStep& step)
{
    if (step.id == StepId::actInSession)
        if (const std::optional<SessionAction> action = parseAction(step.at(StepArgument::action)))
            return q(lookUpRow(*action).title);
    return q(titleFor(step));
}

std::optional<StepDoor> findDoor(const NextStep& step)
{
    const auto door = std::ranges::find(kDoors, step.id, &Door::step);
    if (door == kDoors.end())
        return {};
    return StepDoor{stepText(step) + u'…', QString::fromLatin1(door->page), shownBy(*door, step)};
}

std::span<const CommandLineStep> commandLineSteps()
{
    return kCommandLineSteps;
}

std::vector<MessageButton> makeStepButtons(const std::vector<NextStep>& steps,
                                           const std::function<void(const QString& page, const QString& argument)>& navigate)
{
    std::vector<MessageButton> buttons;
    for (const NextStep& step : steps)
        if (const std::optional<StepDoor> door = findDoor(step))
            buttons.push_back({door->text, [navigate, door = *door] { navigate(door.page, door.argument); }});
    return buttons;
}

} // namespace kl::ui
