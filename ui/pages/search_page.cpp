// SPDX-License-Identifier: MIT
#include "ui/pages/search_page.h"

#include "core/base/format.h"
#include "core/device/arch.h"
#include "core/device/device_table.h"
#include "profiler/client/worker_client.h"
#include "ui/charts/chart_card.h"
#include "ui/pages/calculate/input_card.h"
#include "ui/pages/search/funnel_chart.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace kl {
namespace {

constexpr int kInputsWidth = 320;

/// Entries of the list of points: all, survivors, rejected, then one a gate.
enum Shown { kAll, kSurvivors, kRejected, kFirstGate };

bool survives(const SpaceRow& row)
{
    return !row.point.rejectedBy && (!row.compiled || row.compiled->verdict.pass);
}

bool isShown(const SpaceRow& row, int shown)
{
    if (shown == kAll)
        return true;
    if (shown == kSurvivors || shown == kRejected)
        return survives(row) == (shown == kSurvivors);
    return row.point.rejectedBy == static_cast<std::size_t>(shown - kFirstGate);
}

GpuArch archOf(const GpuRow& gpu)
{
    return {archName(gpu.ccMajor, gpu.ccMinor), smLimits(gpu.ccMajor, gpu.ccMinor).value_or(SmLimits{})};
}

const GpuRow& gpuAt(int index)
{
    return deviceTable().gpus[static_cast<std::size_t>(std::clamp<int>(index, 0, static_cast<int>(deviceTable().gpus.size()) - 1))];
}

QString grouped(std::size_t count)
{
    return q(formatCount(static_cast<double>(count)));
}

} // namespace

SearchPage::SearchPage(AppContext& context) : Page(context, tr("Search"))
{
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kGapBetween);
    columns->addWidget(makeInputs());
    columns->addWidget(makeResults(), 1);
    makeScrollingBody(this, columns);
    fillKernels();
    connect(&context, &AppContext::kernelsChanged, this, [this] { fillKernels(); });
}

QWidget* SearchPage::makeInputs()
{
    inputs_ = new InputCard(tr("Combinations of tunables"), this);
    inputs_->setCaption(tr("Judged before anything is compiled; no GPU is needed"));
    kernel_ = inputs_->addChoice(QStringLiteral("kernel"), tr("Kernel"), {}, -1);
    problem_ = inputs_->addChoice(QStringLiteral("problem"), tr("Problem"), {}, -1);
    gpu_ = inputs_->addChoice(QStringLiteral("gpu"), tr("GPU"), gpuNames(), gpuIndex(QStringLiteral("H200")));
    whatIf_ = inputs_->addChoice(QStringLiteral("whatIf"), tr("What if on"), QStringList{tr("no other")} + gpuNames(), 0);
    occupancy_ = inputs_->addReal(QStringLiteral("occupancy"), tr("Least occupancy"), 0, 100, 0, QStringLiteral(" %"));
    survivors_ = new KeyFigure(tr("Survive"), inputs_);
    elsewhere_ = makeLabel({}, TextRole::caption, inputs_);
    elsewhere_->setObjectName(QStringLiteral("elsewhere"));
    compiled_ = makeLabel({}, TextRole::caption, inputs_);
    compiled_->setObjectName(QStringLiteral("compiled"));
    compile_ = new ReasonedButton(tr("Compile the survivors"), true, inputs_);
    compile_->button()->setObjectName(QStringLiteral("compile"));
    for (QLabel* label : {elsewhere_, compiled_})
        label->setWordWrap(true);
    inputs_->body()->addSpacing(kGapInside);
    for (QWidget* widget : std::initializer_list<QWidget*>{survivors_, elsewhere_, compile_, compiled_})
        inputs_->body()->addWidget(widget);
    inputs_->body()->addStretch(1);
    inputs_->setFixedWidth(kInputsWidth);
    connect(kernel_, &QComboBox::currentIndexChanged, this, [this] {
        fillProblems();
        judge();
    });
    connect(inputs_, &InputCard::changed, this, &SearchPage::judge);
    connect(compile_, &ReasonedButton::clicked, this, &SearchPage::compile);
    return inputs_;
}

QWidget* SearchPage::makeResults()
{
    auto* area = new QWidget(this);
    auto* column = new QVBoxLayout(area);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    funnel_ = new FunnelChart;
    funnelCard_ = new ChartCard({}, funnel_, area);
    connect(funnel_, &ChartBody::picked, this, [this](int stage) { shown_->setCurrentIndex(stage == 0 ? kAll : kFirstGate + stage - 1); });
    column->addWidget(funnelCard_, 2);
    auto* card = new Card(tr("Points"), area);
    shown_ = new QComboBox(card);
    shown_->setObjectName(QStringLiteral("shown"));
    shown_->setAccessibleName(tr("Which points"));
    shown_->addItems({tr("all"), tr("survivors"), tr("rejected")});
    for (const SpaceGate gate : kSpaceGates)
        shown_->addItem(tr("rejected by %1").arg(q(titleOf(gate)).toLower()));
    shown_->setCurrentIndex(kSurvivors);
    count_ = makeLabel({}, TextRole::caption, card);
    card->tools()->addWidget(count_);
    card->tools()->addSpacing(kGapInside);
    card->tools()->addWidget(shown_);
    points_ = new DataTable(QStringLiteral("space-points"), card);
    points_->setSource(&model_);
    points_->setStretchColumn(SpaceTableModel::Why);
    points_->setWidestColumn(480);
    points_->setOptionalColumns({SpaceTableModel::Limit, SpaceTableModel::Found}, 140);
    points_->setAccessibleName(tr("Points of the space"));
    card->body()->addWidget(points_, 1);
    column->addWidget(card, 3);
    connect(shown_, &QComboBox::currentIndexChanged, this, [this] { showPoints(); });
    return area;
}

void SearchPage::fillKernels()
{
    const Subject before = kernel_->currentIndex() >= 0 ? subjects_[static_cast<std::size_t>(kernel_->currentIndex())] : Subject{};
    subjects_.clear();
    {
        const QSignalBlocker quiet(kernel_);
        kernel_->clear();
        for (const KernelFamily& each : context().catalogue().families())
            for (const Variant& variant : each.variants)
                if (!variant.tunables.empty()) {
                    subjects_.push_back({each.id, variant.id});
                    kernel_->addItem(q(each.id + '/' + variant.id));
                    if (each.id == before.family && variant.id == before.variant)
                        kernel_->setCurrentIndex(kernel_->count() - 1);
                }
    }
    fillProblems();
    judge();
}

const KernelFamily* SearchPage::family() const
{
    const int index = kernel_->currentIndex();
    if (index < 0)
        return nullptr;
    const Result<const KernelFamily*> found = context().catalogue().family(subjects_[static_cast<std::size_t>(index)].family);
    return found ? *found : nullptr;
}

void SearchPage::fillProblems()
{
    const QSignalBlocker quietProblem(problem_);
    const QSignalBlocker quietOccupancy(occupancy_);
    problem_->clear();
    const KernelFamily* chosen = family();
    if (!chosen)
        return;
    for (const Params& problem : chosen->problems) {
        problem_->addItem(q(toText(problem)));
        problem_->setItemData(problem_->count() - 1, spaced(toText(problem)), Qt::ToolTipRole);
    }
    problem_->setToolTip(spaced(toText(chosen->problems.front())));
    for (const Variant& variant : chosen->variants)
        if (variant.id == subjects_[static_cast<std::size_t>(kernel_->currentIndex())].variant)
            occupancy_->setValue(variant.search.minOccupancy);
}

SpaceQuestion SearchPage::question(int gpu) const
{
    const GpuArch arch = archOf(gpuAt(gpu));
    const Result<Params> problem = parseParams(utf8(problem_->currentText()));
    return {{}, problem ? *problem : Params{}, arch.limits, arch.name, occupancy_->value()};
}

void SearchPage::refresh()
{
    compile_->setReason(space_ && space_->survivors > 0 ? QString() : tr("nothing survives"));
}

void SearchPage::open(const QString& argument)
{
    for (int i = 0; i < kernel_->count(); ++i)
        if (kernel_->itemText(i) == argument || kernel_->itemText(i).startsWith(argument + u'/'))
            kernel_->setCurrentIndex(i);
}

void SearchPage::judge()
{
    if (!family()) {
        funnelCard_->setFinding(tr("No kernel has tunables"));
        return;
    }
    const Subject subject = subjects_[static_cast<std::size_t>(kernel_->currentIndex())];
    const SpaceQuestion here = question(gpu_->currentIndex());
    std::optional<SpaceQuestion> there;
    if (whatIf_->currentIndex() > 0)
        there = question(whatIf_->currentIndex() - 1);
    compiling_.cancel();
    context().read(
        judging_,
        [subject, here, there](Engine& engine, const Job&) -> Result<Judged> {
            const Result<const KernelFamily*> kernel = engine.catalogue->family(subject.family);
            const Result<const Variant*> variant = engine.catalogue->variant({subject.family, subject.variant, {}});
            if (!kernel || !variant)
                return kernel ? variant.error() : kernel.error();
            Result<SearchSpace> space = searchSpace(**kernel, **variant, here);
            if (!space)
                return space.error();
            Judged judged{std::move(*space), {}};
            if (there) {
                Result<SearchSpace> other = searchSpace(**kernel, **variant, *there);
                if (!other)
                    return other.error();
                judged.other = std::move(*other);
            }
            return judged;
        },
        [this](Result<Judged> judged) { showJudged(std::move(judged)); });
}

void SearchPage::showJudged(Result<Judged> judged)
{
    build_.reset();
    compiled_->clear();
    if (!judged) {
        context().post(judged.error(), tr("The space could not be judged"));
        space_.reset();
        other_.reset();
    } else {
        space_ = std::move(judged->here);
        other_ = std::move(judged->other);
    }
    showFunnel();
    showPoints();
    refresh();
}

void SearchPage::showFunnel()
{
    std::vector<FunnelStage> stages;
    const QString otherName = other_ ? q(gpuAt(whatIf_->currentIndex() - 1).name).remove(QStringLiteral("NVIDIA ")) : QString();
    elsewhere_->clear();
    if (!space_) {
        survivors_->set(q(kNoValue), tr("not judged"));
        funnel_->setStages({}, {});
        return;
    }
    std::size_t left = space_->points.size();
    std::optional<std::size_t> otherLeft;
    if (other_)
        otherLeft = left;
    stages.push_back({tr("All combinations"), 0, left, otherLeft, {}, true});
    for (const SpaceGate gate : kSpaceGates) {
        const auto index = static_cast<std::size_t>(gate);
        left -= space_->rejected[index];
        if (other_)
            *otherLeft -= other_->rejected[index];
        const auto first = std::ranges::find(space_->points, std::optional(index), &SpacePoint::rejectedBy);
        const bool judged = std::ranges::any_of(space_->points, [&](const SpacePoint& point) { return point.verdicts[index].judged; });
        const std::string help = first != space_->points.end() ? "First: " + first->verdicts[index].reason
                                 : judged                      ? std::string()
                                                               : space_->points.front().verdicts[index].reason;
        stages.push_back({q(titleOf(gate)), space_->rejected[index], left, otherLeft, q(help), judged});
    }
    const QString gpu = q(gpuAt(gpu_->currentIndex()).name).remove(QStringLiteral("NVIDIA "));
    survivors_->set(grouped(space_->survivors), tr("of %1 on %2").arg(grouped(space_->points.size()), gpu));
    funnelCard_->setFinding(
        tr("%1 of %2 combinations can run well on %3").arg(grouped(space_->survivors), grouped(space_->points.size()), gpu));
    if (other_)
        elsewhere_->setText(tr("%1: %2 survive").arg(otherName, grouped(other_->survivors)));
    funnel_->setStages(std::move(stages), otherName);
}

void SearchPage::showPoints()
{
    std::vector<SpaceRow> rows;
    const KernelFamily* of = family();
    const Result<const Variant*> variant =
        of ? tunedVariant(*of, subjects_[static_cast<std::size_t>(kernel_->currentIndex())].variant) : Result<const Variant*>(Error{});
    if (space_ && variant) {
        std::vector<const CompiledPoint*> compiled(space_->points.size(), nullptr);
        if (build_)
            for (const CompiledPoint& point : build_->points)
                compiled[point.index] = &point;
        for (std::size_t i = 0; i < space_->points.size(); ++i) {
            SpaceRow row{space_->points[i], addressOf(*of, **variant, space_->points[i].tunables).tunables, {}};
            if (compiled[i])
                row.compiled = *compiled[i];
            if (isShown(row, shown_->currentIndex()))
                rows.push_back(std::move(row));
        }
    }
    points_->setColumnHidden(SpaceTableModel::Registers, !build_);
    points_->setColumnHidden(SpaceTableModel::Local, !build_);
    count_->setText(tr("%1 points").arg(grouped(rows.size())));
    model_.setRows(std::move(rows));
}

void SearchPage::compile()
{
    if (!space_ || space_->survivors == 0 || !family())
        return;
    const Subject subject = subjects_[static_cast<std::size_t>(kernel_->currentIndex())];
    compiled_->setText(tr("Compiling …"));
    compiling_.start(
        tr("Compiling %1").arg(kernel_->currentText()),
        [subject, asked = question(gpu_->currentIndex()), engine = context().engine()](const Job& job) -> Result<SpaceBuild> {
            // Compiling needs a toolkit and no GPU: a worker of its own, whatever device the window measures on.
            const Result<std::unique_ptr<Collector>> worker = startWorker();
            if (!worker)
                return worker.error();
            const Result<const KernelFamily*> kernel = engine->catalogue->family(subject.family);
            const Result<const Variant*> variant = engine->catalogue->variant({subject.family, subject.variant, {}});
            if (!kernel || !variant)
                return kernel ? variant.error() : kernel.error();
            return buildSpace(**worker, **kernel, **variant, asked, 0, job);
        },
        [this](const Result<SpaceBuild>& build) { showCompiled(build); });
}

void SearchPage::showCompiled(const Result<SpaceBuild>& build)
{
    if (!build) {
        compiled_->setText(build.error().code == ErrorCode::interrupted ? tr("Stopped.")
                                                                        : tr("Not compiled: %1").arg(q(build.error().message)));
        if (build.error().code != ErrorCode::interrupted)
            context().post(build.error(), tr("The survivors could not be compiled"));
        return;
    }
    build_ = *build;
    const auto passed =
        static_cast<std::size_t>(std::ranges::count_if(build_->points, [](const CompiledPoint& point) { return point.verdict.pass; }));
    compiled_->setText(tr("%1 for %2, %3: %4 spill, %5 do not fit by real registers, %6 do not compile. %7 pass, %8 different programs.")
                           .arg(q(build_->compiler), q(build_->arch), q(formatElapsed(build_->seconds)))
                           .arg(build_->rejectedBy("spills"))
                           .arg(build_->rejectedBy("occupancy"))
                           .arg(build_->rejectedBy("compile"))
                           .arg(passed)
                           .arg(build_->candidates().size()));
    showPoints();
}

} // namespace kl
