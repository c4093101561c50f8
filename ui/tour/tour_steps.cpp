// SPDX-License-Identifier: MIT
// The table of the tour. A step is a row; its target is the object name of a control that the page shows on the sample.
#include "ui/tour/tour_steps.h"

#include "sessions/session/events.h"
#include "sessions/store/store.h"
#include "ui/widgets/text.h"

#include <QtGlobal>

#include <optional>
#include <utility>

namespace kl::ui {
namespace {

constexpr TourStep kSteps[] = {
    {"finding", "diagnose", TourSubject::profile, "findingSentence", "decidingQuestion evidenceBars",
     QT_TRANSLATE_NOOP("Tour", "What limits the kernel"),
     QT_TRANSLATE_NOOP("Tour", "This kernel was profiled on an H200. One sentence says what limits it. The cards below show the "
                               "measurements behind it, each with its threshold.")},
    {"change", "diagnose", TourSubject::profile, "likelyFix", "", QT_TRANSLATE_NOOP("Tour", "What to change"),
     QT_TRANSLATE_NOOP("Tour", "One change is recommended, with the chance that it pays off and the speedup to expect. Both come from "
                               "changes that were measured, not from a rule of thumb.")},
    {"verdict", "compare", TourSubject::comparison, "verdictSentence", "timeBars", QT_TRANSLATE_NOOP("Tour", "How much faster it is"),
     QT_TRANSLATE_NOOP("Tour", "The kernel before and after the change, on the same GPU and size. The verdict counts only what is larger "
                               "than the noise of the measurement.")},
    {"gates", "session", TourSubject::session, "gateCard previewGate", "", QT_TRANSLATE_NOOP("Tour", "How the gates decide"),
     QT_TRANSLATE_NOOP("Tour", "Each stage of a session ends at a gate, which asks for measured evidence. This one decides whether the "
                               "change is kept: each row is a check, with what was measured and what is needed.")},
    {"own", "home", TourSubject::nothing, "openReportDoor", "profileProgramDoor newKernelDoor",
     QT_TRANSLATE_NOOP("Tour", "Now your own kernel"),
     QT_TRANSLATE_NOOP("Tour", "Open a report of Nsight Compute, profile a program, or bring a .cu file. Ctrl+K finds every page, action "
                               "and kernel; F1 opens the help.")},
};

/// The session that kept the change with the largest gain, by what its events say; unset if there is none.
std::optional<std::pair<SessionId, SessionFacts>> findKept(const Store& store)
{
    const Result<std::vector<SessionHeader>> sessions = store.sessions();
    if (!sessions)
        return {};
    std::optional<std::pair<SessionId, SessionFacts>> best;
    double gain = 0;
    for (const SessionHeader& session : *sessions) {
        const Result<std::vector<SessionEvent>> events = store.events(session.id);
        Result<SessionFacts> facts = events ? foldEvents(*events) : Result<SessionFacts>(events.error());
        if (!facts || !facts->finished || !facts->kept || facts->comparison.empty() || !facts->runs.contains(Evidence::profile))
            continue;
        const Result<std::optional<Ratio>> ratio = store.ratio(facts->comparison);
        if (!ratio || !*ratio || (*ratio)->value <= gain)
            continue;
        gain = (*ratio)->value;
        best = std::pair(session.id, std::move(*facts));
    }
    return best;
}

/// Profiles of a kernel before and after the change that it is known for, on its largest size; empty where there are none.
std::pair<QString, QString> findKnownPair(const Store& store)
{
    constexpr const char* kBefore = "transpose/naive";
    constexpr const char* kAfter = "transpose/tiled";
    const auto profiles = [&](const char* kernel) {
        RunQuery query;
        query.kernel = kernel;
        query.profilesOnly = true;
        query.order = RunOrder::slowest;
        Result<std::vector<RunSummary>> found = store.runs(query);
        std::vector<RunSummary> runs = found ? std::move(*found) : std::vector<RunSummary>{};
        std::erase_if(runs, [&](const RunSummary& run) { return run.kernel != kernel || !isUsable(run); });
        return runs;
    };
    const std::vector<RunSummary> after = profiles(kAfter);
    for (const RunSummary& run : profiles(kBefore))
        for (const RunSummary& other : after)
            if (run.problem == other.problem && run.device == other.device)
                return {q(run.id.text), q(other.id.text)};
    return {};
}

} // namespace

std::span<const TourStep> tourSteps()
{
    return kSteps;
}

QString findTourSubject(TourSubject subject, const Store& store)
{
    if (subject == TourSubject::nothing)
        return {};
    if (const auto kept = findKept(store))
        return q(subject == TourSubject::session      ? kept->first.text + "#evaluate"
                 : subject == TourSubject::comparison ? kept->second.comparison.text
                                                      : kept->second.runs.at(Evidence::profile).text);
    if (subject == TourSubject::session)
        return QStringLiteral("new"); // its form says what each gate will ask for
    const auto [before, after] = findKnownPair(store);
    return subject == TourSubject::profile || before.isEmpty() ? before : QStringLiteral("runs:%1,%2").arg(before, after);
}

} // namespace kl::ui
