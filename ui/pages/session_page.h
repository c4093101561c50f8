// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/report/review.h"
#include "sessions/session/session_view.h"
#include "ui/pages/page.h"

class QVBoxLayout;

namespace kl::ui {

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
class ReviewCard;
class SessionTableModel;
class SidePanel;
class StageRail;
class StateStack;

/// Sessions: the list with a form for a new one, and one session with its stages, gate, fixes, evaluation and report.
class SessionPage : public Page {
    Q_OBJECT
public:
    explicit SessionPage(AppContext& context);

    /// A session's id, "new" for the form, "list"; empty keeps what is shown.
    void open(const QString& argument) override;
    void refresh() override;

private:
    QWidget* makeList();
    QWidget* makeSession();
    void connectSession();
    void connectReview();
    void connectEdit();
    void saveAs(const QString& format);

    void showList();
    void loadList();
    void loadSession();
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
    std::string session_;
    std::optional<SessionView> view_;
    std::vector<Pattern> library_;
    std::vector<ReviewComment> comments_;
    std::optional<Result<SourceChange>> edit_; ///< the changes so far of an edit in progress
    std::string shownPhase_;

    QWidget* listPane_;
    StateStack* listState_;
    SessionTableModel* sessions_;
    DataTable* table_;
    NewSessionCard* form_;
    bool focusForm_ = false; ///< a new session was requested: its form takes the focus once it is filled
    QWidget* sessionPane_;
    StageRail* rail_;
    GateCard* gate_;
    FindingCard* finding_;
    FixPanel* fixes_;
    EditCard* editCard_;
    EvaluatePanel* evaluate_;
    DebugPanel* debug_;
    ClaimsCard* claims_;
    DocumentCard* document_;
    ReviewCard* review_;
    SidePanel* side_;
};

} // namespace kl::ui
