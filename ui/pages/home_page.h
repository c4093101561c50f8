// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "sessions/learning/roadmap.h"
#include "ui/models/run_table_model.h"
#include "ui/models/session_table_model.h"
#include "ui/pages/page.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace kl::ui {

class ChartCard;
class DashboardCard;
class DataTable;
class KeyFigure;
class PlannedCard;
class StartDoors;
class StateStack;
class XYChart;

/// Overview: the next action, key figures, sessions, alerts, roadmap and recent runs.
class HomePage : public Page {
    Q_OBJECT
public:
    explicit HomePage(AppContext& context, QWidget* parent = nullptr);
    void refresh() override;

private:
    /// Read together, so that the page shows one consistent state.
    struct Data {
        History history;
        std::vector<RunSummary> runs;
        std::vector<std::string> kernels; ///< of the runs, as displayed
        std::vector<Pattern> patterns;
        Roadmap roadmap;
        std::vector<StepState> states; ///< of its steps
        std::optional<SessionView> open;
    };
    static Result<Data> load(Engine& engine);

    QWidget* makeNextCard(QWidget* parent);
    QWidget* makeFigures(QWidget* parent);
    QWidget* makeChart(QWidget* parent);
    QWidget* makeSessions(QWidget* parent);
    QWidget* makeSide(QWidget* parent);
    /// Parts of show(), each short enough for keys to wait for.
    void show(const std::shared_ptr<const Data>& found);
    void showSessions(const History& history);
    void showNext(const Data& found);
    void showFigures(const History& history);
    void showAlerts(const std::vector<Alert>& alerts);
    void showRuns(const Data& found);
    void showPatterns(const Data& found);
    void showRoadmap(const Data& found);

    static constexpr std::size_t kMostSessions = 8; ///< in the table; History has all

    BackgroundJob loader_;
    SessionTableModel sessions_;
    StateStack* state_ = nullptr;
    StartDoors* doors_ = nullptr; ///< while there is nothing of the user's own
    QLabel* nextText_ = nullptr;
    QLabel* nextWhy_ = nullptr;
    QPushButton* nextButton_ = nullptr;
    QString nextPage_;
    QString nextArgument_;
    std::vector<KeyFigure*> figures_;
    ChartCard* chartCard_ = nullptr;
    XYChart* chart_ = nullptr;
    DataTable* table_ = nullptr;
    QPushButton* all_ = nullptr;
    QVBoxLayout* alerts_ = nullptr;
    QVBoxLayout* runs_ = nullptr;
    DashboardCard* dashboard_ = nullptr;
    PlannedCard* planned_ = nullptr;
    QVBoxLayout* patterns_ = nullptr;
    QVBoxLayout* roadmap_ = nullptr;
};

} // namespace kl::ui
