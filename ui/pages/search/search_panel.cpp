// SPDX-License-Identifier: MIT
#include "ui/pages/search/search_panel.h"

#include "core/base/format.h"
#include "sessions/search/search_log.h"
#include "ui/pages/search/pause_gate.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kRedrawMs = 250;
constexpr double kLongestBudget = 1e6;

/// In the order of the list.
constexpr std::array kStrategies{kDefaultStrategy, "greedy_mls", "random_sample", "brute_force"};

} // namespace

SearchPanel::SearchPanel(AppContext& context, SpaceInputs& inputs, QWidget* parent)
    : QWidget(parent), context_(context), inputs_(inputs), button_(new ReasonedButton(tr("Search"), true, this)),
      status_(makeLabel({}, TextRole::caption, this)), soon_(new QTimer(this))
{
    strategy_ =
        inputs.addChoice(QStringLiteral("strategy"), tr("Strategy"), {tr("Portfolio"), tr("Greedy"), tr("Random"), tr("In order")}, 0);
    strategy_->setToolTip(
        tr("Portfolio: the default and earlier winners, then alternately a walk from the best point and what a model of the measured "
           "times expects to be fast. Greedy: start at the default and try the neighbors of the best point. Random: all points, shuffled. "
           "In order: all points."));
    budget_ = inputs.addReal(QStringLiteral("budget"), tr("Budget"), 0, kLongestBudget, 60, QStringLiteral(" s"));
    strategy_->disconnect(&inputs); // the strategy does not change the space
    budget_->disconnect(&inputs);
    budget_->setDecimals(0);
    budget_->setSpecialValueText(tr("unlimited"));
    budget_->setToolTip(tr("Measuring time in seconds; 0 measures all points"));
    button_->setReasonBelow();
    button_->button()->setObjectName(QStringLiteral("search"));
    pause_ = new QPushButton(tr("Pause"), this);
    pause_->setObjectName(QStringLiteral("pause"));
    pause_->setToolTip(tr("Waits before the next point; what was measured is kept"));
    pause_->hide();
    connect(pause_, &QPushButton::clicked, this, &SearchPanel::pause);
    status_->setObjectName(QStringLiteral("searchStatus"));
    status_->setWordWrap(true);
    status_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapInside);
    column->addWidget(button_);
    column->addWidget(pause_);
    column->addWidget(status_);
    soon_->setSingleShot(true);
    soon_->setInterval(kRedrawMs);
    connect(soon_, &QTimer::timeout, this, &SearchPanel::timesGrew);
    connect(button_, &ReasonedButton::clicked, this, [this] { running() ? stop() : start(); });
    connect(&job_, &BackgroundJob::progressed, this, &SearchPanel::showProgress);
}

QString SearchPanel::deviceReason() const
{
    if (const Status searchable = checkSearchable(*context_.engine()->collector); !searchable)
        return q(searchable.error().message + ' ' + searchable.error().hint);
    return context_.explainUnmeasurable();
}

void SearchPanel::refresh(const QString& reason)
{
    if (running())
        return button_->setText(tr("Stop"));
    button_->setText(deviceReason().isEmpty() ? tr("Search on %1").arg(context_.deviceName().section(u' ', 0, 0)) : tr("Search"));
    button_->setReason(deviceReason().isEmpty() ? reason : deviceReason());
}

void SearchPanel::start()
{
    const Result<SpaceSubject> subject = inputs_.subject();
    if (!subject)
        return context_.post(subject.error(), tr("Could not start the search"));
    LoopPlan plan;
    plan.tune.strategy = kStrategies[static_cast<std::size_t>(std::max(0, strategy_->currentIndex()))];
    plan.tune.budgetSeconds = budget_->value();
    plan.tune.minOccupancy = inputs_.leastOccupancy();
    plan.tune.onTime = [this, mine = ++generation_](const TunedPoint& point) { // on the measuring thread, which ends before this does
        QMetaObject::invokeMethod(
            this,
            [this, mine, point] {
                if (mine != generation_)
                    return;
                times_.push_back(point);
                if (!soon_->isActive())
                    soon_->start();
            },
            Qt::QueuedConnection);
    };
    gate_ = std::make_shared<PauseGate>();
    plan.tune.beforePoint = [gate = gate_] { gate->pass(); };
    times_.clear();
    pause_->setText(tr("Pause"));
    pause_->show();
    status_->show();
    status_->setText(tr("Compiling …"));
    emit began(tr("%1 at %2 on %3").arg(inputs_.kernelName(), spaceProblem(toText(subject->problem)), context_.deviceName()));
    context_.run(
        job_, tr("Searching %1").arg(inputs_.kernelName()),
        [requested = *subject, plan](Engine& engine, const Job& job) -> Result<BestPoint> {
            const Result<const KernelFamily*> family = engine.catalog->family(requested.family);
            const Result<const Variant*> variant = engine.catalog->variant({requested.family, requested.variant, {}});
            if (!family || !variant)
                return family ? variant.error() : family.error();
            return findBest(engine.bench, {*family, *variant, {}, requested.problem}, plan, job);
        },
        [this](const Result<BestPoint>& best) {
            soon_->stop();
            pause_->hide();
            status_->setText(
                best ? tr("%1 measured in %2%3")
                           .arg(q(formatCount(static_cast<double>(best->tuned.points.size()))), q(formatElapsed(best->tuned.seconds)),
                                best->tuned.left > 0 ? tr("; %1 not measured within the budget").arg(best->tuned.left) : QString())
                : best.error().code == ErrorCode::interrupted
                    ? tr("Stopped. Results so far are kept, and the next search continues from them.")
                    : tr("Did not finish: %1").arg(q(best.error().message)));
            emit timesGrew();
            emit ended(best);
        });
    button_->setText(tr("Stop"));
}

void SearchPanel::stop()
{
    if (gate_)
        gate_->set(true);
    job_.cancel();
}

void SearchPanel::pause()
{
    if (!gate_)
        return;
    const bool open = !gate_->isOpen();
    gate_->set(open);
    pause_->setText(open ? tr("Pause") : tr("Resume"));
    if (!open)
        status_->setText(tr("Paused before the next point."));
}

SearchRecord SearchPanel::record() const
{
    SearchRecord record;
    record.state = running() ? SearchStage::measuring : SearchStage::timed;
    record.strategy = kStrategies[static_cast<std::size_t>(std::max(0, strategy_->currentIndex()))];
    for (const TunedPoint& point : times_)
        if (!point.refined)
            record.trials.push_back(makeTrial(point));
    return record;
}

void SearchPanel::showProgress()
{
    if (gate_ && !gate_->isOpen())
        return;
    const Progress& progress = job_.lastProgress();
    QString text = q(progress.step);
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    if (progress.expected)
        text += tr(" · %1 of about %2").arg(q(formatElapsed(progress.elapsed)), q(formatElapsed(*progress.expected)));
    status_->setText(text);
}

} // namespace kl::ui
