// SPDX-License-Identifier: MIT
#include "ui/pages/session_page.h"

#include "core/base/try.h"
#include "sessions/learning/history.h"
#include "sessions/learning/next_session_step.h"
#include "sessions/patterns/session_lesson.h"
#include "ui/pages/session/checklist_card.h"
#include "ui/pages/session/claims_card.h"
#include "ui/pages/session/debug_panel.h"
#include "ui/pages/session/document_card.h"
#include "ui/pages/session/edit_card.h"
#include "ui/pages/session/evaluate_panel.h"
#include "ui/pages/session/finding_card.h"
#include "ui/pages/session/fix_panel.h"
#include "ui/pages/session/gate_card.h"
#include "ui/pages/session/plan_card.h"
#include "ui/pages/session/review_card.h"
#include "ui/pages/session/session_alerts_card.h"
#include "ui/pages/session/session_pair_card.h"
#include "ui/pages/session/side_panel.h"
#include "ui/pages/session/stage_rail.h"
#include "ui/pages/session/written_document_card.h"
#include "ui/style/tokens.h"
#include "ui/widgets/card.h"
#include "ui/widgets/layout_pause.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/reflow.h"
#include "ui/widgets/text.h"

#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace kl::ui {
namespace {

constexpr int kSideWidth = 300;
const QString kKernelArgument = QStringLiteral("kernel:");
constexpr QChar kStageMark = u'#'; ///< between a session's id and the stage to show, and between a new one's kernel and its kind

/// The gate of a stage; nullptr for a stage without one.
const GateView* findGate(const SessionView& view, const std::string& phase)
{
    for (const PhaseView& stage : view.phases)
        if (stage.id == phase && !stage.gates.empty())
            for (const GateView& gate : view.gates)
                if (gate.id == stage.gates.front())
                    return &gate;
    return nullptr;
}

const PhaseView* findPhase(const SessionView& view, const std::string& phase)
{
    const auto found = std::find_if(view.phases.begin(), view.phases.end(), [&](const PhaseView& p) { return p.id == phase; });
    return found == view.phases.end() ? nullptr : &*found;
}

/// Gives the focus to the topmost primary button that can be pressed, so that Enter walks through a session, and scrolls to it from the
/// top.
void focusNextStep(QWidget& page)
{
    const auto top = [&](const QPushButton* button) { return button->mapTo(&page, QPoint(0, 0)).y(); };
    QPushButton* next = nullptr;
    for (QPushButton* button : page.findChildren<QPushButton*>())
        if (button->property("primary").toBool() && button->isVisible() && button->isEnabled() && (!next || top(button) < top(next)))
            next = button;
    if (!next)
        return;
    if (auto* area = page.findChild<QScrollArea*>()) {
        area->verticalScrollBar()->setValue(0);
        area->ensureWidgetVisible(next);
    }
    next->setFocus(Qt::OtherFocusReason);
}

} // namespace

SessionPage::SessionPage(AppContext& context, QWidget* parent) : Page(context, tr("Sessions"), parent), sent_(std::make_unique<SentOn>())
{
    all_ = makeButton(tr("All sessions"), false, this);
    all_->setObjectName(QStringLiteral("allSessions"));
    connect(all_, &QPushButton::clicked, this, &SessionPage::showList);
    addAction(all_);
    new_ = makeButton(tr("New session"), true, this);
    new_->setObjectName(QStringLiteral("newSession"));
    connect(new_, &QPushButton::clicked, this, [this] {
        focusForm_ = true;
        showForm();
    });
    addAction(new_);
    auto* column = new QVBoxLayout;
    QWidget* body = makeScrollingBody(this, column)->widget();
    listPane_ = makeList(body);
    newPane_ = makeNew(body);
    // Not a stack, which would make the list as high as the longest session.
    column->addWidget(listPane_);
    column->addWidget(newPane_);
    column->addWidget(makeSession(body));
    showPane(Pane::list);
    connect(&context, &AppContext::databaseSwitched, this, [this] { // the sessions are not in the other one
        session_.clear();
        view_.reset();
        forming_ = false;
        pair_.reset();
        pairCard_->clearPair();
    });
    connectSession();
    connectDocument();
    connectReview();
    connectEdit();
}

SessionPage::~SessionPage() = default;

QWidget* SessionPage::makeSession(QWidget* parent)
{
    sessionPane_ = new QWidget(parent);
    auto* column = new QVBoxLayout(sessionPane_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    auto* railCard = new Card({}, sessionPane_);
    rail_ = new StageRail(railCard);
    railCard->body()->addWidget(rail_);
    column->addWidget(railCard);

    auto* columns = new QHBoxLayout;
    columns->setSpacing(kGapBetween);
    auto* left = new QVBoxLayout;
    left->setSpacing(kGapBetween);
    alertsCard_ = new SessionAlertsCard(sessionPane_);
    gate_ = new GateCard(sessionPane_);
    finding_ = new FindingCard(sessionPane_);
    fixes_ = new FixPanel(sessionPane_);
    editCard_ = new EditCard(sessionPane_);
    evaluate_ = new EvaluatePanel(sessionPane_);
    debug_ = new DebugPanel(sessionPane_);
    claims_ = new ClaimsCard(sessionPane_);
    written_ = new WrittenDocumentCard(sessionPane_);
    document_ = new DocumentCard(sessionPane_);
    planCard_ = new PlanCard(sessionPane_);
    checklist_ = new ChecklistCard(sessionPane_);
    review_ = new ReviewCard(sessionPane_);
    for (QWidget* part :
         {static_cast<QWidget*>(alertsCard_), static_cast<QWidget*>(gate_), static_cast<QWidget*>(finding_),
          static_cast<QWidget*>(editCard_), static_cast<QWidget*>(fixes_), static_cast<QWidget*>(evaluate_), static_cast<QWidget*>(debug_),
          static_cast<QWidget*>(claims_), static_cast<QWidget*>(document_), static_cast<QWidget*>(written_),
          static_cast<QWidget*>(planCard_), static_cast<QWidget*>(checklist_), static_cast<QWidget*>(review_)})
        left->addWidget(part);
    left->addStretch(1);
    columns->addLayout(left, 1);
    side_ = new SidePanel(sessionPane_);
    side_->setFixedWidth(kSideWidth);
    columns->addWidget(side_);
    column->addLayout(columns, 1);
    new Reflow(columns, this);
    return sessionPane_;
}

void SessionPage::open(const QString& argument)
{
    const bool kernel = argument.startsWith(kKernelArgument);
    const bool fresh = kernel || argument == QStringLiteral("new");
    forming_ = fresh || (argument.isEmpty() && forming_);
    if (kernel) {
        const QString proposed = argument.mid(kKernelArgument.size());
        proposed_ = proposed.section(kStageMark, 0, 0);
        proposedKind_ = proposed.section(kStageMark, 1, 1);
        proposedProblem_ = proposed.section(kStageMark, 2);
    }
    if (fresh || argument == QStringLiteral("list"))
        session_.clear();
    else if (!argument.isEmpty())
        session_ = utf8(argument.section(kStageMark, 0, 0));
    else if (session_.empty() && !forming_)
        session_ = context().currentSession().text;
    focusForm_ = fresh;
    shownPhase_.clear();
    wantedPhase_ = fresh ? std::string() : utf8(argument.section(kStageMark, 1));
    view_.reset();
    if (auto* area = findChild<QScrollArea*>(); area && !argument.isEmpty())
        area->verticalScrollBar()->setValue(0);
}

void SessionPage::refresh()
{
    if (!session_.empty())
        loadSession();
    else if (forming_)
        loadForm();
    else
        loadList();
}

void SessionPage::showPane(Pane pane)
{
    listPane_->setVisible(pane == Pane::list);
    newPane_->setVisible(pane == Pane::form);
    sessionPane_->setVisible(pane == Pane::session);
    offerAction(all_, pane != Pane::list);
    offerAction(new_, pane == Pane::list);
}

void SessionPage::loadSession()
{
    forming_ = false;
    showPane(Pane::session);
    struct Loaded {
        SessionView view;
        std::vector<Pattern> library;
        std::vector<ReviewComment> comments;
        std::optional<Result<SourceChange>> edit;
        std::vector<Attempt> attempts;
        std::vector<Alert> alerts;
        QString plan;
        SentOn sent;
    };
    context().read(
        reading_,
        [id = SessionId{session_}](Engine& engine, const Job&) -> Result<Loaded> {
            KL_ASSIGN(SessionView view, engine.sessions.view(id));
            Result<std::vector<Pattern>> library = engine.store->patterns();
            KL_ASSIGN(std::vector<ReviewComment> comments, reviewComments(*engine.store, id));
            std::optional<Result<SourceChange>> edit;
            if (inEdit(view))
                edit = engine.sessions.edit(id);
            Loaded loaded{std::move(view),
                          library ? std::move(*library) : std::vector<Pattern>{},
                          std::move(comments),
                          std::move(edit),
                          {},
                          {},
                          {},
                          {}};
            if (Result<std::vector<Attempt>> attempts = listAttempts(*engine.store, loaded.view))
                loaded.attempts = std::move(*attempts);
            if (Result<std::vector<Alert>> alerts = sessionAlerts(*engine.store, id))
                loaded.alerts = std::move(*alerts);
            if (const Result<Report> plan = sessionPlan(*engine.store, engine.bench.catalog(), id))
                loaded.plan = q(kl::render(*plan, ReportFormat::markdown));
            if (const std::optional<Pattern> lesson = lessonIn(loaded.library, id))
                loaded.sent.pattern = q(lesson->slug);
            if (const Result<Roadmap> roadmap = loadRoadmap(*engine.store))
                if (const std::optional<RoadmapStep> step = nextStepIn(*roadmap, loaded.view))
                    loaded.sent.step = q(step->id);
            return loaded;
        },
        [this](Result<Loaded> loaded) {
            if (!loaded) {
                context().post(loaded.error(), tr("Could not show the session"));
                showList();
                return;
            }
            library_ = std::move(loaded->library);
            comments_ = std::move(loaded->comments);
            edit_ = std::move(loaded->edit);
            attempts_ = std::move(loaded->attempts);
            alerts_ = std::move(loaded->alerts);
            plan_ = loaded->plan;
            *sent_ = loaded->sent;
            showSession(loaded->view);
        });
}

void SessionPage::showSession(const SessionView& view)
{
    const LayoutPause pause(*this);
    const bool moved = !view_ || view_->phase != view.phase;
    view_ = view;
    context().setCurrentSession(view.header.id, q(view.header.name), q(view.header.kernel));
    setTitle(QStringLiteral("%1 · %2").arg(q(view.header.name), q(view.header.objective)));
    rail_->setPhases(view.phases);
    if (shownPhase_.empty() || moved)
        shownPhase_ = isOver(view) && !view.phases.empty() ? view.phases.back().id : view.phase;
    if (const std::string wanted = std::exchange(wantedPhase_, {}); findPhase(view, wanted))
        shownPhase_ = wanted;
    showStage(shownPhase_);
    setBusy(work_.running());
    if (hasFocus()) // where change() left it
        QTimer::singleShot(0, this, [this] { focusNextStep(*this); });
}

void SessionPage::showStage(const std::string& phase)
{
    if (!view_)
        return;
    const PhaseView* stage = findPhase(*view_, phase);
    if (stage == nullptr)
        return;
    shownPhase_ = phase;
    rail_->setShown(phase);
    const bool isCurrent = phase == view_->phase;
    const bool last = stage->evidence.empty();
    evaluate_->setVisible(gathers(*stage, Evidence::evaluation) || (last && view_->evaluation));
    evaluate_->setView(*view_);
    const NextAction* next = isCurrent && !view_->next.empty() ? &view_->next.front() : nullptr;
    const QString why = isCurrent && view_->blocked ? q(view_->why) : QString();
    const GateView* gate = findGate(*view_, phase);
    gate_->setVisible(gate || !isOver(*view_)); // at the end the report card gives the outcome
    if (gate)
        gate_->setGate(*gate, next, why, isOver(*view_));
    else
        gate_->setPlain(q(stage->title), q(view_->why), next);
    gate_->setOthers(isCurrent ? actionsElsewhere() : std::vector<NextAction>{});
    if (next && evaluate_->offers(next->action))
        gate_->hideButton();
    const bool change = gathers(*stage, Evidence::minimalCase) || (gathers(*stage, Evidence::candidate) && !debugs(*view_));
    finding_->setRun(gathers(*stage, Evidence::profile) || change ? view_->profileRun : std::nullopt);
    fixes_->setVisible(change);
    fixes_->setView(*view_, &context().catalog());
    editCard_->setEdit(*view_, edit_);
    editCard_->setAttempts(attempts_, canMeasureEdit());
    editCard_->setVisible(!editCard_->isHidden() && (change || last || gathers(*stage, Evidence::evaluation)));
    debug_->setVisible(debugs(*view_));
    debug_->setView(*view_);
    claims_->setVisible(gathers(*stage, Evidence::baseline) || (last && !view_->claims.empty()));
    claims_->setView(*view_);
    const bool first = &view_->phases.front() == stage;
    alertsCard_->setAlerts(alerts_);
    planCard_->setVisible(first && !plan_.isEmpty());
    planCard_->setPlan(plan_, view_->events.size() == 1);
    checklist_->setView(*view_, gathers(*stage, Evidence::build) || gathers(*stage, Evidence::smallest));
    document_->setVisible(last);
    document_->setView(*view_);
    written_->setVisible(last);
    written_->setView(*view_, *sent_);
    review_->setVisible(last || !comments_.empty());
    review_->setReview(*view_, comments_);
    side_->setView(*view_, *stage, library_);
    side_->setReadOnly(context().writeReason());
}

std::vector<NextAction> SessionPage::actionsElsewhere() const
{
    std::vector<NextAction> actions = view_->next;
    for (std::size_t i = actions.size(); i-- > 1;)
        if (evaluate_->offers(actions[i].action))
            actions.erase(actions.begin() + static_cast<std::ptrdiff_t>(i));
    return actions;
}

void SessionPage::setBusy(bool busy)
{
    const QString running = busy ? tr("Running. See the task list below.") : QString();
    const QString measuring = busy ? running : context().explainUnmeasurable();
    gate_->setBusy(measuring);
    fixes_->setBusy(measuring);
    editCard_->setBusy(measuring);
    evaluate_->setBusy(measuring);
    const QString writing = busy ? running : context().writeReason();
    debug_->setBusy(writing);
    claims_->setBusy(writing);
    review_->setBusy(writing);
    written_->setBusy(writing);
    checklist_->setBusy(writing);
    alertsCard_->setBusy(measuring);
}

} // namespace kl::ui
