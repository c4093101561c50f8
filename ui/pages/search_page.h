// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/space_table_model.h"
#include "ui/pages/page.h"
#include "ui/pages/search/space_inputs.h"

class QLabel;
class QStackedWidget;
class QTabWidget;

namespace kl::ui {

class ChartCard;
class FunnelChart;
class MeasuredView;
class PointCard;
class PointsView;
class ReasonedButton;
class SearchPanel;
class WatchBar;
class WatchView;

/// The space of a kernel's tunables: which combinations the gates reject, why, on which GPU; the compiler's results for the rest; and the
/// search for the fastest on the window's device, as it goes or as it was recorded.
class SearchPage : public Page {
    Q_OBJECT
public:
    explicit SearchPage(AppContext& context, QWidget* parent = nullptr);
    void refresh() override;
    void open(const QString& argument) override; ///< a family or a variant, e.g. "attention/fused"

private:
    /// The results of the gates, here and on the other GPU; `rows` shows the former.
    struct Judged {
        SearchSpace here;
        std::optional<SearchSpace> other;
        std::vector<SpaceRow> rows;
    };
    QWidget* makeInputs(QWidget* parent);
    QWidget* makeResults(QWidget* parent);
    void judge();
    void showJudged(Result<Judged> judged);
    void showFunnel();
    void choosePoint(const SpaceRow& row);
    void showCombinations();
    void compile();
    void showCompiled(const Result<SpaceBuild>& build);
    void showTimes();
    void sayNothingMeasured();
    const Variant* pickVariant(const SpaceSubject& subject) const;

    BackgroundJob judging_;
    BackgroundJob compiling_;
    BackgroundJob lookingElsewhere_;
    std::optional<SpaceSubject> subject_; ///< the subject of space_
    std::optional<SearchSpace> space_;
    std::optional<SearchSpace> other_;
    std::optional<SpaceBuild> build_; ///< for space_
    int judgment_ = 0;                ///< generation of space_: builds of earlier ones are dropped
    std::optional<SpaceSubject> searched_;
    QString searchedWords_;
    SpaceInputs* inputs_ = nullptr;
    SearchPanel* search_ = nullptr;
    QLabel* elsewhere_ = nullptr;
    QLabel* compiled_ = nullptr;
    ReasonedButton* compile_ = nullptr;
    FunnelChart* funnel_ = nullptr;
    ChartCard* funnelCard_ = nullptr;
    PointCard* point_ = nullptr;
    QStackedWidget* top_ = nullptr; ///< funnelCard_, point_
    QTabWidget* tabs_ = nullptr;    ///< points_, measured_
    PointsView* points_ = nullptr;
    MeasuredView* measured_ = nullptr;
    WatchBar* watchBar_ = nullptr;
    WatchView* watch_ = nullptr;
};

} // namespace kl::ui
