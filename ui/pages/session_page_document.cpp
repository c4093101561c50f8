// SPDX-License-Identifier: MIT
#include "core/base/try.h"
#include "sessions/learning/next_session_step.h"
#include "sessions/patterns/session_lesson.h"
#include "ui/pages/report_button.h"
#include "ui/pages/session/checklist_card.h"
#include "ui/pages/session/document_card.h"
#include "ui/pages/session/plan_card.h"
#include "ui/pages/session/session_alerts_card.h"
#include "ui/pages/session/written_document_card.h"
#include "ui/pages/session_page.h"
#include "ui/widgets/text.h"

#include <QInputDialog>

namespace kl::ui {

void SessionPage::connectDocument()
{
    const auto nothingMore = [](Engine&, const SessionView&) { return Status{}; };
    connect(written_, &WrittenDocumentCard::saveRequested, this, [this, nothingMore] { writeDocument(nothingMore); });
    connect(written_, &WrittenDocumentCard::lessonRequested, this, [this] {
        writeDocument([](Engine& engine, const SessionView& view) -> Status {
            const Result<Pattern> lesson = saveLesson(*engine.store, view);
            return lesson ? Status{} : Status{lesson.error()};
        });
    });
    connect(written_, &WrittenDocumentCard::nextStepRequested, this, [this] {
        writeDocument([](Engine& engine, const SessionView& view) -> Status {
            const Result<RoadmapStep> step = planNextSession(*engine.store, view);
            return step ? Status{} : Status{step.error()};
        });
    });
    connect(written_, &WrittenDocumentCard::patternRequested, this,
            [this](const QString& slug) { context().navigate(QStringLiteral("patterns"), slug); });
    connect(written_, &WrittenDocumentCard::roadmapRequested, this,
            [this] { context().navigate(QStringLiteral("history"), QStringLiteral("roadmap")); });
    connect(document_, &DocumentCard::stepRequested, this, [this] {
        focusForm_ = true;
        showForm();
    });
    connect(planCard_, &PlanCard::saveRequested, this, [this] {
        const QString name = view_ ? QStringLiteral("plan-%1.md").arg(q(view_->header.name)) : QStringLiteral("plan.md");
        saveReport(context(), this, name, [this] { return sessionPlan(context().store(), context().catalog(), SessionId{session_}); });
    });
    connect(alertsCard_, &SessionAlertsCard::stepRequested, this, &SessionPage::takeStep);
    connect(checklist_, &ChecklistCard::evidenceRequested, this, &SessionPage::showEvidence);
    connect(checklist_, &ChecklistCard::stepRequested, this, &SessionPage::takeStep);
    connect(checklist_, &ChecklistCard::noteRequested, this, &SessionPage::tick);
    connect(checklist_, &ChecklistCard::calculatorRequested, this,
            [this](const QString& tab) { context().navigate(QStringLiteral("calculate"), tab); });
}

void SessionPage::writeDocument(std::function<Status(Engine& engine, const SessionView& view)> then)
{
    if (session_.empty() || work_.running())
        return;
    context().run(
        work_, tr("Saving the document"),
        [id = SessionId{session_}, answers = written_->answers(), then = std::move(then)](Engine& engine,
                                                                                          const Job&) -> Result<SessionView> {
            KL_ASSIGN(SessionView view, engine.sessions.view(id));
            for (const auto& [question, text] : answers) {
                KL_ASSIGN(view, engine.sessions.write(id, question, text));
            }
            KL_TRY(then(engine, view));
            return view;
        },
        [this](Result<SessionView> answer) {
            setBusy(false);
            if (!answer)
                context().post(answer.error(), tr("Could not save the document"));
            loadSession(); // what was sent on is read with it
        });
    setBusy(true);
}

void SessionPage::tick(const QString& item, const QString& title, const QString& note)
{
    bool given = false;
    const QString text = QInputDialog::getText(this, tr("Checklist"), tr("%1. Your note; an empty one clears the check mark:").arg(title),
                                               QLineEdit::Normal, note, &given);
    if (!given || session_.empty() || work_.running())
        return;
    context().run(
        work_, {},
        [id = SessionId{session_}, item = utf8(item), words = utf8(text.trimmed())](Engine& engine, const Job&) {
            return engine.sessions.tick(id, item, words);
        },
        [this](Result<SessionView> answer) { take(std::move(answer)); });
    setBusy(true);
}

} // namespace kl::ui
