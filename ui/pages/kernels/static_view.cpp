// SPDX-License-Identifier: MIT
#include "ui/pages/kernels/static_view.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/device/device_table.h"
#include "kernels/code_builder.h"
#include "profiler/device/open_device.h"
#include "ui/charts/chart_card.h"
#include "ui/pages/kernels/static_charts.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kRoomForTwo = 900; ///< pixels: with less, the source is above its facts

} // namespace

StaticView::StaticView(AppContext& context, QWidget* parent) : QWidget(parent), context_(context)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kGapInside, 0, 0);
    sides_ = new QSplitter(Qt::Vertical, this);
    state_ = new StateStack(sides_, this);
    column->addWidget(state_);
    fillSides();
}

void StaticView::fillSides()
{
    sides_->setObjectName(QStringLiteral("staticSides"));
    sides_->setChildrenCollapsible(false);
    sides_->setHandleWidth(kGapInside);
    sides_->addWidget(makeSource(sides_));
    sides_->addWidget(makeFacts(sides_));
    sides_->setStretchFactor(0, 1);
}

QWidget* StaticView::makeSource(QWidget* parent)
{
    auto* side = new QWidget(parent);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapInside);
    busiest_ = makeLabel({}, TextRole::caption, side);
    busiest_->setObjectName(QStringLiteral("busiestLine"));
    busiest_->setWordWrap(true);
    code_ = new CodeView(side);
    code_->setObjectName(QStringLiteral("compiledCode"));
    code_->setAccessibleName(tr("Source code with instruction counts per line"));
    code_->setMinimumSize(240, 240);
    column->addWidget(busiest_);
    column->addWidget(code_, 1);
    return side;
}

QWidget* StaticView::makeFacts(QWidget* parent)
{
    auto* side = new QWidget(parent);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapInside);
    auto* row = new QHBoxLayout;
    arch_ = new QComboBox(side);
    arch_->setObjectName(QStringLiteral("staticArch"));
    arch_->setAccessibleName(tr("Architecture"));
    for (const std::string& name : listArchs())
        arch_->addItem(q(name));
    arch_->setCurrentText(QStringLiteral("sm_90"));
    compiler_ = makeLabel({}, TextRole::caption, side);
    compiler_->setObjectName(QStringLiteral("staticCompiler"));
    compiler_->setWordWrap(true);
    row->addWidget(arch_);
    row->addWidget(compiler_, 1);
    column->addLayout(row);
    launches_ = new DataTable(QStringLiteral("compiled-launches"), side);
    launches_->setSource(&model_);
    launches_->setAccessibleName(tr("Compiled kernels"));
    launches_->setStretchColumn(CompiledTableModel::Limiter);
    launches_->setOptionalColumns({CompiledTableModel::Threads, CompiledTableModel::StaticSmem, CompiledTableModel::Spilled}, 100);
    mix_ = new StackedBar;
    mixCard_ = new ChartCard(tr("Instructions"), mix_, side);
    gpus_ = new LimitBars;
    gpusCard_ = new ChartCard(tr("Occupancy on each GPU"), gpus_, side);
    column->addWidget(launches_);
    column->addWidget(mixCard_);
    column->addWidget(gpusCard_, 1);
    connect(arch_, &QComboBox::currentIndexChanged, this, [this] { showArch(); });
    return side;
}

void StaticView::setSubject(const Address& address, const Params& problem)
{
    const Result<const KernelFamily*> family = context_.catalog().family(address.family);
    const Result<const Variant*> variant = context_.catalog().variant(address);
    if (!family || !variant)
        return;
    const CodeText code = chooseCodeText(**family, **variant);
    std::string source = code.hash();
    if (address_ == address && problem_ == problem && source_ == source)
        return;
    address_ = address;
    problem_ = problem;
    source_ = std::move(source);
    code_->setCode(exact(code.source));
    stale_ = true;
    if (isVisible())
        compile();
}

void StaticView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (stale_)
        compile();
}

void StaticView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const Qt::Orientation wanted = width() < kRoomForTwo ? Qt::Vertical : Qt::Horizontal;
    if (sides_->orientation() == wanted)
        return;
    sides_->setOrientation(wanted);
    if (wanted == Qt::Horizontal) // leave room to drag on both sides
        sides_->setSizes({width() * 11 / 20, width() * 9 / 20});
}

void StaticView::compile()
{
    if (address_.family.empty())
        return;
    stale_ = false;
    state_->showLoading();
    compiling_.start(
        tr("Compiling %1").arg(q(toText(address_))),
        [engine = context_.engine(), address = address_, problem = problem_](const Job& job) -> Result<BuildManyAnswer> {
            // Compiling needs a toolkit but no GPU, so it uses its own worker, independent of the window's device.
            KL_ASSIGN(const std::unique_ptr<Collector> worker, openDevice(chooseCompilingDevice(describeDevice(*engine->collector))));
            const Result<const KernelFamily*> family = engine->catalog->family(address.family);
            const Result<const Variant*> variant = engine->catalog->variant(address);
            if (!family || !variant)
                return family ? variant.error() : family.error();
            return buildVariant(*worker, **family, **variant, address.tunables, problem, listArchs(), job);
        },
        [this](const Result<BuildManyAnswer>& answer) { take(answer); });
}

void StaticView::take(const Result<BuildManyAnswer>& answer)
{
    answer_.reset();
    if (!answer) {
        stale_ = answer.error().code == ErrorCode::interrupted;
        if (answer.error().code == ErrorCode::environment)
            state_->showUnavailable(q(answer.error().message), q(answer.error().hint));
        else
            state_->showError(answer.error(), [this] { compile(); });
        return;
    }
    answer_ = *answer;
    state_->showContent();
    showArch();
    OccupancyBars occupancy = occupancyBars(answer_->points);
    gpusCard_->setFinding(tr("Occupancy up to %1").arg(q(formatPercent(occupancy.best))));
    gpus_->setBars(std::move(occupancy.bars), tr("Occupancy, %"), {});
    gpus_->setMinimumHeight(gpus_->sizeHint().height()); // the source gets the remaining room
}

void StaticView::showArch()
{
    if (!answer_ || arch_->currentIndex() < 0)
        return;
    const auto& built = answer_->points[static_cast<std::size_t>(arch_->currentIndex())];
    const SmLimits sm = deviceTable().capabilities[static_cast<std::size_t>(arch_->currentIndex())].limits;
    if (!built.ok || built.launches.empty()) {
        compiler_->setText(tr("Does not compile: %1").arg(q(built.log.substr(0, built.log.find('\n')))));
        setTextToken(compiler_, Token::worse);
        model_.setLaunches({}, sm);
        mixCard_->setFinding(tr("Instructions"));
        mix_->setRows({}, {}, {}, tr("Nothing compiled for %1").arg(arch_->currentText()));
        showLines({});
        return;
    }
    compiler_->setText(tr("%1, %2 s").arg(q(answer_->compiler), figureWithMark(q(formatNumber(built.seconds)))) +
                       (built.cached ? tr(", compiled earlier") : QString()));
    setTextToken(compiler_, Token::muted);
    model_.setLaunches(built.launches, sm);
    launches_->setFixedHeight(launches_->heightFor(std::min(4, static_cast<int>(built.launches.size()))));
    InstructionRows instructions = instructionRows(built.launches);
    mixCard_->setFinding(describeMix(built.launches));
    mix_->setRows(instructions.classes, std::move(instructions.rows), tr("PTX instructions, each counted once"), {});
    showLines(built.launches);
}

void StaticView::showLines(const std::vector<CompiledLaunch>& launches)
{
    const std::map<int, LineHeat> heat = instructionHeat(launches);
    code_->setHeat(heat);
    const QString words = busiestLine(launches);
    busiest_->setText(words.isEmpty() ? tr("No line information available.") : words + tr("; loops count once."));
    if (const auto most = std::ranges::max_element(heat, {}, [](const auto& line) { return line.second.share; }); most != heat.end())
        code_->showLine(most->first);
}

} // namespace kl::ui
