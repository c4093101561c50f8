// SPDX-License-Identifier: MIT
#include "ui/pages/session/event_words.h"

#include "sessions/session/events.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>

namespace kl::ui {
namespace {

struct Words {
    const char* type;
    const char* text;  ///< %1 is the value of `field`
    const char* field; ///< nullptr: none
};

// clang-format off
constexpr Words kWords[] = {
    {event::kOpened, QT_TRANSLATE_NOOP("kl::Event", "Session opened on %1"), "start"},
    {event::kEnvironmentChecked, QT_TRANSLATE_NOOP("kl::Event", "Environment checked"), nullptr},
    {event::kBuildValidated, QT_TRANSLATE_NOOP("kl::Event", "Built; log saved"), nullptr},
    {event::kStartVerified, QT_TRANSLATE_NOOP("kl::Event", "Starting point checked at every suite size"), nullptr},
    {event::kHypothesis, QT_TRANSLATE_NOOP("kl::Event", "Hypothesis: %1"), "text"},
    {event::kInstrumented, QT_TRANSLATE_NOOP("kl::Event", "Instrument: %1"), "text"},
    {event::kFailingCaseFound, QT_TRANSLATE_NOOP("kl::Event", "Searched for the smallest failing size: %1"), "seen"},
    {event::kAnalyzed, QT_TRANSLATE_NOOP("kl::Event", "Analysis: %1"), "text"},
    {event::kMinimalVerified, QT_TRANSLATE_NOOP("kl::Event", "Candidate checked at the failing size"), nullptr},
    {event::kIterationClosed, QT_TRANSLATE_NOOP("kl::Event", "Next iteration. Learned: %1"), "learned"},
    {event::kParked, QT_TRANSLATE_NOOP("kl::Event", "Parked %1"), "to"},
    {event::kClaimAdded, QT_TRANSLATE_NOOP("kl::Event", "Claim: %1"), "figure"},
    {event::kOptionSet, QT_TRANSLATE_NOOP("kl::Event", "Option %1 changed"), "name"},
    {event::kResumed, QT_TRANSLATE_NOOP("kl::Event", "Resumed"), nullptr},
    {event::kConditionsChanged, QT_TRANSLATE_NOOP("kl::Event", "Earlier evidence is stale: %1"), "what"},
    {event::kStalled, QT_TRANSLATE_NOOP("kl::Event", "%1"), "text"},
    {event::kSmallestVerified, QT_TRANSLATE_NOOP("kl::Event", "Checked at the smallest size"), nullptr},
    {event::kBaselineMeasured, QT_TRANSLATE_NOOP("kl::Event", "Kernel and baseline measured"), nullptr},
    {event::kProfiled, QT_TRANSLATE_NOOP("kl::Event", "Profiled"), nullptr},
    {event::kFixChosen, QT_TRANSLATE_NOOP("kl::Event", "Fix chosen: %1"), "title"},
    {event::kCandidateVerified, QT_TRANSLATE_NOOP("kl::Event", "Candidate checked at every suite size"), nullptr},
    {event::kEditBegun, QT_TRANSLATE_NOOP("kl::Event", "Edit begun: %1"), "file"},
    {event::kMemoryChecked, QT_TRANSLATE_NOOP("kl::Event", "Candidate checked for memory errors"), nullptr},
    {event::kSanitized, QT_TRANSLATE_NOOP("kl::Event", "Checked by compute-sanitizer"), nullptr},
    {event::kUndone, QT_TRANSLATE_NOOP("kl::Event", "Undone: %1"), "what"},
    {event::kEvaluated, QT_TRANSLATE_NOOP("kl::Event", "Before and after measured"), nullptr},
    {event::kKept, QT_TRANSLATE_NOOP("kl::Event", "Kept %1"), "variant"},
    {event::kReverted, QT_TRANSLATE_NOOP("kl::Event", "Reverted to %1"), "variant"},
    {event::kDocumented, QT_TRANSLATE_NOOP("kl::Event", "Report written"), nullptr},
    {event::kFinished, QT_TRANSLATE_NOOP("kl::Event", "Session finished: %1"), "outcome"},
    {event::kWaived, QT_TRANSLATE_NOOP("kl::Event", "Gate waived: %1"), "reason"},
    {event::kWritten, QT_TRANSLATE_NOOP("kl::Event", "Document: %1"), "text"},
    {event::kNote, QT_TRANSLATE_NOOP("kl::Event", "Note: %1"), "text"},
    {event::kPatternApplied, QT_TRANSLATE_NOOP("kl::Event", "Pattern applied: %1"), "slug"},
    {event::kProgress, QT_TRANSLATE_NOOP("kl::Event", "%1"), "text"},
    {event::kTicked, QT_TRANSLATE_NOOP("kl::Event", "Checklist: %1"), "note"},
    {event::kAttempted, QT_TRANSLATE_NOOP("kl::Event", "Edit measured: %1"), "summary"},
    {event::kHistoryLooked, QT_TRANSLATE_NOOP("kl::Event", "History searched: %1"), "found"},
    {event::kRefusedAttempt, QT_TRANSLATE_NOOP("kl::Event", "Refused by rule %1"), "rule"},
};
// clang-format on

} // namespace

QString eventWords(const SessionEvent& event)
{
    for (const Words& words : kWords) {
        if (event.type != words.type)
            continue;
        const QString text = QCoreApplication::translate("kl::Event", words.text);
        if (words.field == nullptr)
            return text;
        const QJsonObject data = QJsonDocument::fromJson(QByteArray::fromStdString(event.dataJson)).object();
        return text.arg(data.value(QLatin1String(words.field)).toString());
    }
    return q(event.type);
}

} // namespace kl::ui
