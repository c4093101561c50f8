// SPDX-License-Identifier: MIT
#include "sessions/engine/action_table.h"
#include "ui/context/step_doors.h"
#include "ui/pages/report_button.h"
#include "ui/pages/session/claims_card.h"
#include "ui/pages/session/debug_panel.h"
#include "ui/pages/session/document_card.h"
#include "ui/pages/session/edit_card.h"
#include "ui/pages/session/evaluate_panel.h"
#include "ui/pages/session/finding_card.h"
#include "ui/pages/session/fix_panel.h"
#include "ui/pages/session/gate_card.h"
#include "ui/pages/session/new_session_card.h"
#include "ui/pages/session/side_panel.h"
#include "ui/pages/session/stage_rail.h"
#include "ui/pages/session_page.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"

#include <QInputDialog>
#include <QPointer>

namespace kl::ui {

template <class Work> void SessionPage::change(const QString& title, Work work)
{
    if (session_.empty() || work_.running())
        return;
    context().run(
        work_, title, [id = SessionId{session_}, work](Engine& engine, const Job& job) { return work(engine, id, job); },
        [this](Result<SessionView> answer) { take(std::move(answer)); });
    setFocus(Qt::OtherFocusReason); // its button is disabled now; Qt would hand the focus to the next field
    setBusy(true);
}

void SessionPage::connectSession()
{
    connect(rail_, &StageRail::chosen, this, [this](const QString& phase) { showStage(utf8(phase)); });
    connect(gate_, &GateCard::actionRequested, this, &SessionPage::act);
    connect(gate_, &GateCard::waiveRequested, this, &SessionPage::waive);
    connect(gate_, &GateCard::stepRequested, this, &SessionPage::takeStep);
    connect(gate_, &GateCard::evidenceRequested, this, &SessionPage::showEvidence);
    connect(fixes_, &FixPanel::fixChosen, this, [this](const QString& fix) { act(SessionAction::chooseFix, fix); });
    connect(evaluate_, &EvaluatePanel::actionRequested, this, [this](SessionAction action) { act(action); });
    connect(evaluate_, &EvaluatePanel::cumulativeChosen, this, [this](bool on) {
        change({}, [on](Engine& engine, const SessionId& id, const Job&) { return engine.sessions.option(id, "cumulative", on); });
    });
    connect(editCard_, &EditCard::gitChosen, this, [this](bool on) {
        change({}, [on](Engine& engine, const SessionId& id, const Job&) { return engine.sessions.option(id, "git", on); });
    });
    connect(debug_, &DebugPanel::wordsGiven, this, &SessionPage::act);
    connect(claims_, &ClaimsCard::claimed, this, [this](const QString& source, const QString& figure) {
        change({}, [claim = Claim{utf8(source), utf8(withPoints(figure))}](Engine& engine, const SessionId& id, const Job&) {
            return engine.sessions.claim(id, claim);
        });
    });
    connect(finding_, &FindingCard::diagnoseRequested, this,
            [this](const QString& run) { context().navigate(QStringLiteral("diagnose"), run); });
    connect(side_, &SidePanel::noteRequested, this, [this](const QString& text) {
        change({}, [text = utf8(text)](Engine& engine, const SessionId& id, const Job&) { return engine.sessions.note(id, text); });
    });
    connect(side_, &SidePanel::patternRequested, this, [this](const QString& slug) {
        change({}, [slug = utf8(slug)](Engine& engine, const SessionId& id, const Job&) { return engine.sessions.applyPattern(id, slug); });
    });
    connect(document_, &DocumentCard::exportRequested, this, &SessionPage::saveAs);
}

void SessionPage::saveAs(const QString& format)
{
    const bool prompt = format == QStringLiteral("prompt");
    const QString stem = view_ ? q(view_->header.name + "-" + view_->header.kernel) : QStringLiteral("session");
    saveReport(context(), this, prompt ? QStringLiteral("prompt-%1.md").arg(stem) : stem + QLatin1Char('.') + format, [this, prompt] {
        const SessionId id{session_};
        return prompt ? expertPrompt(context().store(), context().catalog(), id, context().stepWriter())
                      : sessionReport(context().store(), context().catalog(), id);
    });
}

void SessionPage::create(const NewSession& request)
{
    setFocus(Qt::OtherFocusReason); // see change()
    form_->setLocked(tr("Opening…"));
    context().run(
        work_, tr("Opening a session on %1").arg(q(request.kernel)),
        [request](Engine& engine, const Job&) { return engine.sessions.create(request); },
        [this](Result<SessionView> answer) {
            form_->setLocked({});
            if (!answer) {
                context().post(answer.error(), tr("Could not open the session"));
                return;
            }
            session_ = answer->header.id.text;
            shownPhase_.clear();
            loadSession();
        });
}

void SessionPage::act(SessionAction action, const QString& argument)
{
    if (action == SessionAction::waive) {
        waive(argument);
        return;
    }
    const bool recommended = view_ && !view_->next.empty() && view_->next.front().action == action;
    change(q(recommended ? view_->next.front().title : lookUpRow(action).title),
           [action, argument = utf8(argument)](Engine& engine, const SessionId& id, const Job& job) {
               return engine.sessions.act(id, action, argument, job);
           });
}

void SessionPage::takeStep(const NextStep& step)
{
    const std::optional<SessionAction> action = parseAction(step.at(StepArgument::action));
    if (step.id == StepId::stepSession && view_ && !view_->next.empty())
        act(view_->next.front().action, q(view_->next.front().argument));
    else if (step.id == StepId::actInSession && action)
        act(*action, q(step.at(StepArgument::argument)));
    else if (step.id == StepId::waiveGate && !step.at(StepArgument::gate).empty())
        waive(q(step.at(StepArgument::gate)));
    else if (step.id == StepId::setOption)
        change({}, [name = step.at(StepArgument::option), on = step.at(StepArgument::value) == "on"](
                       Engine& engine, const SessionId& id, const Job&) { return engine.sessions.option(id, name, on); });
    else if (const std::optional<StepDoor> door = findDoor(step))
        context().navigate(door->page, door->argument);
}

void SessionPage::postRefusal(const Error& error)
{
    Message message = makeMessage(error);
    for (const NextStep& step : error.next)
        if (step.id != StepId::showSession && step.id != StepId::checkGate && findDoor(step)) // those are here
            message.buttons.push_back({stepText(step), [page = QPointer(this), step] {
                                           if (page)
                                               page->takeStep(step);
                                       }});
    context().post(message);
}

void SessionPage::waive(const QString& gate)
{
    bool given = false;
    const QString reason = QInputDialog::getText(
        this, tr("Waive %1").arg(gate), tr("Reason for waiving this gate (included in the report):"), QLineEdit::Normal, {}, &given);
    if (!given || reason.trimmed().isEmpty())
        return;
    change({}, [gate = utf8(gate), words = utf8(reason.trimmed())](Engine& engine, const SessionId& id, const Job&) {
        return engine.sessions.waive(id, gate, words);
    });
}

void SessionPage::take(Result<SessionView> answer)
{
    setBusy(false);
    if (!answer) {
        postRefusal(answer.error());
        loadSession(); // the refusal is in the log
        return;
    }
    if (inEdit(*answer))
        return loadSession(); // also reads the edited files
    edit_.reset();
    attempts_.clear();
    showSession(*answer);
}

void SessionPage::showEvidence(const QString& evidence)
{
    if (evidence.startsWith(QStringLiteral("run:")))
        context().navigate(QStringLiteral("diagnose"), evidence.mid(4));
    else if (evidence.startsWith(QStringLiteral("comparison:")))
        context().navigate(QStringLiteral("compare"), evidence.mid(11));
}

} // namespace kl::ui
