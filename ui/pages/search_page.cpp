// SPDX-License-Identifier: MIT
#include "ui/pages/search_page.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "ui/charts/chart_card.h"
#include "ui/jobs/in_turns.h"
#include "ui/pages/search/funnel_chart.h"
#include "ui/pages/search/funnel_stages.h"
#include "ui/pages/search/measured_view.h"
#include "ui/pages/search/point_card.h"
#include "ui/pages/search/points_view.h"
#include "ui/pages/search/search_panel.h"
#include "ui/pages/search/watch_bar.h"
#include "ui/pages/search/watch_view.h"
#include "ui/style/theme.h"
#include "ui/widgets/layout_pause.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/reflow.h"
#include "ui/widgets/tab_room.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace kl::ui {
namespace {

constexpr int kInputsWidth = 320;

QString formatPoints(std::size_t count)
{
    return q(formatCount(static_cast<double>(count)));
}

} // namespace

SearchPage::SearchPage(AppContext& context, QWidget* parent) : Page(context, tr("Search"), parent)
{
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kGapBetween);
    QWidget* body = makeScrollingBody(this, columns)->widget();
    columns->addWidget(makeInputs(body), 0, Qt::AlignTop);
    columns->addWidget(makeResults(body), 1);
    new Reflow(columns, this);
    connect(inputs_, &SpaceInputs::requested, this, &SearchPage::judge);
    sayNothingMeasured();
    judge();
}

QWidget* SearchPage::makeInputs(QWidget* parent)
{
    inputs_ = new SpaceInputs(context(), parent);
    inputs_->setCaption(tr("Checking and compiling do not require a GPU"));
    search_ = new SearchPanel(context(), *inputs_, inputs_);
    elsewhere_ = makeLabel({}, TextRole::caption, inputs_);
    elsewhere_->setObjectName(QStringLiteral("elsewhere"));
    compiled_ = makeLabel({}, TextRole::caption, inputs_);
    compiled_->setObjectName(QStringLiteral("compiled"));
    compile_ = new ReasonedButton(tr("Compile survivors"), false, inputs_);
    compile_->button()->setObjectName(QStringLiteral("compile"));
    for (QLabel* label : {elsewhere_, compiled_}) {
        label->setWordWrap(true);
        label->hide();
    }
    inputs_->body()->addSpacing(kGapInside);
    for (QWidget* widget : std::initializer_list<QWidget*>{elsewhere_, search_, compile_, compiled_})
        inputs_->body()->addWidget(widget);
    inputs_->body()->addStretch(1);
    fixColumn(inputs_, kInputsWidth);
    connect(compile_, &ReasonedButton::clicked, this, &SearchPage::compile);
    connect(search_, &SearchPanel::began, this, [this](const QString& about) {
        const Result<SpaceSubject> requested = inputs_->subject();
        searched_ = requested ? std::optional(*requested) : std::nullopt;
        searchedWords_ = about;
        measured_->showTimes({}, about);
        tabs_->setCurrentWidget(measured_);
    });
    connect(search_, &SearchPanel::timesGrew, this, &SearchPage::showTimes);
    connect(search_, &SearchPanel::ended, this, [this](const Result<BestPoint>& best) {
        refresh();
        if (best)
            measured_->showBest(*best);
        else if (best.error().code != ErrorCode::interrupted)
            context().post(best.error(), tr("The search did not finish"));
        if (!best && search_->times().empty())
            sayNothingMeasured();
    });
    return inputs_;
}

QWidget* SearchPage::makeResults(QWidget* parent)
{
    auto* area = new QWidget(parent);
    auto* column = new QVBoxLayout(area);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    top_ = new QStackedWidget(area);
    funnel_ = new FunnelChart;
    funnelCard_ = new ChartCard({}, funnel_, top_);
    point_ = new PointCard(top_);
    top_->addWidget(funnelCard_);
    top_->addWidget(point_);
    column->addWidget(top_);
    auto* card = new Card({}, area);
    tabs_ = new QTabWidget(card);
    tabs_->setDocumentMode(true);
    points_ = new PointsView(tabRoom(*tabs_));
    measured_ = new MeasuredView(tabRoom(*tabs_));
    tabs_->addTab(points_, tr("Points"));
    tabs_->addTab(measured_, tr("Measured"));
    watchBar_ = new WatchBar(context(), card);
    watch_ = new WatchView(*watchBar_, *tabs_);
    card->body()->addWidget(watchBar_);
    card->body()->addWidget(tabs_, 1);
    const auto showBar = [this] { watchBar_->setVisible(watch_->isShown()); };
    connect(tabs_, &QTabWidget::currentChanged, this, showBar);
    showBar();
    column->addWidget(card, 1);
    connect(funnel_, &ChartBody::picked, this, [this](int stage) {
        points_->pick(stage);
        tabs_->setCurrentWidget(points_);
    });
    connect(points_, &PointsView::chosen, this, &SearchPage::choosePoint);
    connect(point_, &PointCard::left, this, &SearchPage::showCombinations);
    connect(measured_, &MeasuredView::runOpened, this, [this](const QString& id) { context().navigate(QStringLiteral("diagnose"), id); });
    return area;
}

void SearchPage::refresh()
{
    const QString reason = !space_ ? tr("not checked") : space_->survivors == 0 ? tr("no survivors") : QString();
    compile_->setReason(reason);
    search_->refresh(reason);
    watchBar_->refresh();
}

void SearchPage::open(const QString& argument)
{
    inputs_->choose(argument);
}

const Variant* SearchPage::pickVariant(const SpaceSubject& subject) const
{
    const Result<const Variant*> found = context().catalog().variant({subject.family, subject.variant, {}});
    return found ? *found : nullptr;
}

void SearchPage::judge()
{
    if (!inputs_->hasKernel()) {
        funnelCard_->setFinding(tr("No kernel has tunables"));
        return;
    }
    const Result<SpaceSubject> subject = inputs_->subject();
    if (!subject)
        return showJudged(subject.error());
    compiling_.cancel();
    context().read(
        judging_,
        [requested = *subject, here = inputs_->question(), there = inputs_->otherQuestion()](Engine& engine, const Job&) -> Result<Judged> {
            KL_ASSIGN(SearchSpace space, requested.judge(*engine.catalog, here));
            KL_ASSIGN(std::vector<SpaceRow> rows, requested.rows(*engine.catalog, space));
            Judged judged{std::move(space), {}, std::move(rows)};
            if (there) {
                KL_ASSIGN(SearchSpace other, requested.judge(*engine.catalog, *there));
                judged.other = std::move(other);
            }
            return judged;
        },
        [this, requested = *subject](Result<Judged> judged) {
            subject_ = requested;
            showJudged(std::move(judged));
        });
}

void SearchPage::showJudged(Result<Judged> judged)
{
    ++judgment_;
    build_.reset();
    compiled_->hide();
    compiled_->clear();
    auto rows = std::make_shared<std::vector<SpaceRow>>(); // parts are copied
    if (!judged) {
        context().post(judged.error(), tr("Could not check the search space"));
        space_.reset();
        other_.reset();
    } else {
        space_ = std::move(judged->here);
        other_ = std::move(judged->other);
        *rows = std::move(judged->rows);
    }
    doInTurns(judging_, {[this] {
                             const LayoutPause pause(*this);
                             showCombinations();
                             showFunnel();
                             refresh();
                         },
                         [this, rows] {
                             const LayoutPause pause(*this);
                             points_->setRows(std::move(*rows));
                         }});
}

void SearchPage::showFunnel()
{
    elsewhere_->setVisible(other_.has_value());
    elsewhere_->clear();
    if (!space_) {
        funnelCard_->setFinding(tr("Not checked"));
        funnel_->setStages({}, {});
        return;
    }
    const QString other = other_ ? inputs_->otherName() : QString();
    funnelCard_->setFinding(tr("%1 of %2 combinations pass the gates on %3")
                                .arg(formatPoints(space_->survivors), formatPoints(space_->points.size()), inputs_->gpuName()));
    if (other_)
        elsewhere_->setText(tr("%1: %2 survive").arg(other, formatPoints(other_->survivors)));
    funnel_->setStages(funnelStages(*space_, other_), other);
}

void SearchPage::choosePoint(const SpaceRow& row)
{
    const SpacePoint* other = nullptr;
    if (other_)
        for (const SpacePoint& point : other_->points)
            other = point.tunables == row.point.tunables ? &point : other;
    point_->show(row, inputs_->gpuName(), other, inputs_->otherName());
    top_->setCurrentWidget(point_);
    SpaceQuestion alone = inputs_->question();
    alone.fixed = row.point.tunables;
    context().read(
        lookingElsewhere_,
        [requested = *subject_, alone](Engine& engine, const Job&) -> Result<QString> {
            return requested.elsewhere(*engine.catalog, alone);
        },
        [this](const Result<QString>& text) { point_->showElsewhere(text ? *text : q(text.error().message)); });
}

void SearchPage::showCombinations()
{
    top_->setCurrentWidget(funnelCard_);
    points_->clearChoice();
}

void SearchPage::compile()
{
    if (judging_.running() || !space_ || space_->survivors == 0 || !subject_) // while it runs, the points are not those of space_
        return;
    compiled_->show();
    compiled_->setText(tr("Compiling …"));
    compiling_.start(
        tr("Compiling %1").arg(inputs_->kernelName()),
        [requested = *subject_, question = inputs_->question(), engine = context().engine()](const Job& job) -> Result<SpaceBuild> {
            return requested.build(*engine->catalog, question, describeDevice(*engine->collector), job);
        },
        [this, of = judgment_](const Result<SpaceBuild>& build) {
            if (of == judgment_) // otherwise its points are not those of space_
                showCompiled(build);
        });
}

void SearchPage::showCompiled(const Result<SpaceBuild>& build)
{
    if (!build) {
        compiled_->setText(build.error().code == ErrorCode::interrupted ? tr("Stopped.")
                                                                        : tr("Did not compile: %1").arg(q(build.error().message)));
        if (build.error().code != ErrorCode::interrupted)
            context().post(build.error(), tr("Could not compile the survivors"));
        return;
    }
    build_ = *build;
    const auto passed =
        static_cast<std::size_t>(std::ranges::count_if(build_->points, [](const CompiledPoint& point) { return point.verdict.pass; }));
    compiled_->setText(
        tr("%1 for %2, %3: %4 spill, %5 do not fit with their actual register count, %6 do not compile. %7 pass (%8 distinct programs).")
            .arg(q(build_->compiler), q(build_->arch), q(formatElapsed(build_->seconds)))
            .arg(build_->countRejectedBy("spills"))
            .arg(build_->countRejectedBy("occupancy"))
            .arg(build_->countRejectedBy("compile"))
            .arg(passed)
            .arg(build_->candidates().size()));
    points_->setCompiled(build_->points);
}

void SearchPage::showTimes()
{
    if (!searched_)
        return;
    const Result<const KernelFamily*> family = context().catalog().family(searched_->family);
    const Variant* variant = pickVariant(*searched_);
    if (family && variant)
        measured_->showTimes(makeTunedRows(search_->times(), **family, *variant), searchedWords_);
    watchBar_->follow(search_->record());
}

void SearchPage::sayNothingMeasured()
{
    const QString reason = search_->deviceReason();
    measured_->showNothing(
        tr("Nothing measured yet"),
        reason.isEmpty()
            ? tr("Search measures the survivors on %1, checks the best one on the whole suite, and compares it with the default.")
                  .arg(context().deviceName())
            : tr("%1\nAvailable here: the gates for every listed GPU, and compiling if a CUDA toolkit is installed.").arg(reason));
}

} // namespace kl::ui
