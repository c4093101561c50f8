// SPDX-License-Identifier: MIT
#pragma once

#ifndef Q_MOC_RUN
#include "sessions/engine/attempts.h"
#include "sessions/engine/session_preview.h"
#include "sessions/report/session_pair.h"
#endif
#include "sessions/report/review.h"
#include "sessions/session/session_view.h"
#include "ui/pages/page.h"

#include <functional>
#include <memory>

class QPushButton;
class QVBoxLayout;

namespace kl::ui {

class ChecklistCard;
class ClaimsCard;
class DataTable;
class DebugPanel;
class DocumentCard;
class EditCard;
class EvaluatePanel;
class FindingCard;
class FixPanel;
class GateCard;
class NewSessionCard;
class PlanCard;
class ReviewCard;
class SessionAlertsCard;
class SessionPairCard;
class SessionPreviewCard;
class SessionTableModel;
class SidePanel;
class StageRail;
class StateStack;
class WrittenDocumentCard;
struct SentOn;

/// Sessions: the list, two of them side by side, the form of a new one with what it will do, and one session with its stages, gate, fixes,
/// evaluation, document and report.
class SessionPage : public Page {
    Q_OBJECT
public:
    explicit SessionPage(AppContext& context, QWidget* parent = nullptr);
    ~SessionPage() override;

    /// A session's id, "new" for the form, "kernel:ID" for the form with this kernel ("kernel:ID#debug": of this kind), "list"; empty keeps
    /// what is shown.
    void open(const QString& argument) override;
    void refresh() override;

private:
    QWidget* makeList(QWidget* parent);
    QWidget* makeNew(QWidget* parent);
    QWidget* makeSession(QWidget* parent);
    void connectSession();
    void connectReview();
    void connectEdit();
    bool canMeasureEdit() const;
    void measureEdit();
    /// Work on the edit in progress outside the steps of the session: the focus stays where it is.
    void workOnEdit(const QString& title, std::function<Status(Engine&, const Job&)> work);
    void connectDocument();
    void saveAs(const QString& format);
    /// Stores what was edited in the document, then does the rest.
    void writeDocument(std::function<Status(Engine& engine, const SessionView& view)> then);
    void tick(const QString& item, const QString& title, const QString& note);

    enum class Pane { list, form, session };
    void showPane(Pane pane);
    void showList();
    /// The form of a new session; a finished one proposes its kernel and what it wants done next.
    void showForm();
    void loadList();
    void loadForm();
    void loadSession();
    /// Asks what the session in the form will do, and what can be chosen.
    void previewNew();
    void comparePair(const QString& a, const QString& b);
    void showSession(const SessionView& view);
    void showStage(const std::string& phase);
    /// The next actions, the first one always, without those that the evaluate panel has buttons for.
    std::vector<NextAction> actionsElsewhere() const;
    void setBusy(bool busy);

    void create(const NewSession& request);
    void act(SessionAction action, const QString& argument = {});
    /// Performs a step that is of this session, or opens the page that does.
    void takeStep(const NextStep& step);
    /// With buttons that perform what the error's steps say.
    void postRefusal(const Error& error);
    void waive(const QString& gate);
    template <class Work> void change(const QString& title, Work work);
    void take(Result<SessionView> answer);
    void showEvidence(const QString& evidence);

    BackgroundJob work_;
    BackgroundJob reading_;
    BackgroundJob previewing_;
    BackgroundJob pairing_;
    std::string session_;
    std::optional<SessionView> view_;
    std::vector<Pattern> library_;
    std::vector<ReviewComment> comments_;
    std::optional<Result<SourceChange>> edit_; ///< the changes so far of an edit in progress
    std::vector<Attempt> attempts_;            ///< of it
    std::vector<Alert> alerts_;
    QString plan_; ///< Markdown
    std::unique_ptr<SentOn> sent_;
    std::optional<SessionPair> pair_;
    std::string shownPhase_;
    std::string wantedPhase_; ///< that open() asked for

    QWidget* listPane_;
    StateStack* listState_;
    SessionTableModel* sessions_;
    DataTable* table_;
    SessionPairCard* pairCard_;
    QPushButton* all_;
    QPushButton* new_;
    QWidget* newPane_;
    NewSessionCard* form_;
    SessionPreviewCard* preview_;
    bool forming_ = false;    ///< the form is shown
    QString proposed_;        ///< kernel that it begins with; empty: the last one
    QString proposedProblem_; ///< size that it begins with; empty: the kernel's own
    QString proposedKind_;    ///< kind that it begins with; empty: the last one
    bool focusForm_ = false;  ///< a new session was requested: its form takes the focus once it is filled
    QWidget* sessionPane_;
    StageRail* rail_;
    SessionAlertsCard* alertsCard_;
    PlanCard* planCard_;
    ChecklistCard* checklist_;
    GateCard* gate_;
    FindingCard* finding_;
    FixPanel* fixes_;
    EditCard* editCard_;
    EvaluatePanel* evaluate_;
    DebugPanel* debug_;
    ClaimsCard* claims_;
    WrittenDocumentCard* written_;
    DocumentCard* document_;
    ReviewCard* review_;
    SidePanel* side_;
};

} // namespace kl::ui
