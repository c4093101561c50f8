// SPDX-License-Identifier: MIT
#include "ui/pages/kernels/static_view.h"

#include "core/base/format.h"
#include "core/device/arch.h"
#include "core/device/device_table.h"
#include "kernels/code_builder.h"
#include "profiler/client/worker_client.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/stacked_bar.h"
#include "ui/pages/calculate/input_card.h"
#include "ui/pages/calculate/limit_bars.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace kl {
namespace {

constexpr std::size_t kClassesShown = 7; ///< of instructions; the rest is one part
constexpr double kGoodOccupancy = 50;

std::vector<std::string> knownArchs()
{
    std::vector<std::string> archs;
    for (const CapabilityRow& row : deviceTable().capabilities)
        archs.push_back(archName(row.limits.ccMajor, row.limits.ccMinor));
    return archs;
}

QString firstLine(const std::string& log)
{
    return q(log.substr(0, log.find('\n')));
}

/// The launch that fills an SM least.
Occupancy worstOccupancy(const BuiltPoint& built, const SmLimits& sm)
{
    Occupancy worst = occupancyOf(sm, built.launches.front());
    for (const CompiledLaunch& launch : built.launches)
        if (const Occupancy one = occupancyOf(sm, launch); one.percent < worst.percent)
            worst = one;
    return worst;
}

/// The commonest classes of all launches.
std::vector<std::string> commonClasses(const std::vector<CompiledLaunch>& launches)
{
    std::map<std::string, std::int64_t> sums;
    for (const CompiledLaunch& launch : launches)
        for (const auto& [name, count] : launch.opcodes)
            sums[name] += count;
    std::vector<std::pair<std::string, std::int64_t>> order(sums.begin(), sums.end());
    std::ranges::stable_sort(order, std::greater(), &std::pair<std::string, std::int64_t>::second);
    std::vector<std::string> names;
    for (const auto& [name, count] : order)
        if (names.size() < kClassesShown)
            names.push_back(name);
    return names;
}

} // namespace

void CompiledTableModel::setLaunches(std::vector<CompiledLaunch> launches, const SmLimits& sm)
{
    sm_ = sm;
    setRows(std::move(launches));
}

QString CompiledTableModel::header(int column) const
{
    static const char* const kNames[ColumnCount] = {"Kernel", "Threads", "Registers", "Local",     "Spilled",
                                                    "Static", "Dynamic", "Occupancy", "Limited by"};
    return StaticView::tr(kNames[column]);
}

QVariant CompiledTableModel::cell(const CompiledLaunch& row, int column, int role) const
{
    if (role == Qt::ForegroundRole && (column == Local || column == Spilled) && row.stackBytes + row.spillStores + row.spillLoads > 0)
        return color(Token::worse);
    const Occupancy occupancy = occupancyOf(sm_, row);
    if (column == Entry || column == Limiter)
        return role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kSortRole
                   ? QVariant(q(column == Entry ? row.entry : occupancy.limiter))
                   : QVariant();
    const double figures[ColumnCount] = {0,
                                         static_cast<double>(row.threads),
                                         static_cast<double>(row.registers),
                                         static_cast<double>(row.stackBytes),
                                         static_cast<double>(row.spillStores + row.spillLoads),
                                         static_cast<double>(row.staticSmem),
                                         static_cast<double>(row.dynamicSmem),
                                         occupancy.percent,
                                         0};
    const double figure = figures[column];
    if (role == kSortRole)
        return figure;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool bytes = column >= Local && column <= DynamicSmem;
    return column == Occupied ? q(formatPercent(figure)) : q(formatCount(figure)) + (bytes ? QStringLiteral(" B") : QString());
}

StaticView::StaticView(AppContext& context, QWidget* parent) : QWidget(parent), context_(context)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kGapInside, 0, 0);
    state_ = new StateStack(makeContent(), this);
    column->addWidget(state_);
}

QWidget* StaticView::makeContent()
{
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapInside);
    auto* row = new QHBoxLayout;
    arch_ = new QComboBox(content);
    arch_->setObjectName(QStringLiteral("staticArch"));
    arch_->setAccessibleName(tr("Architecture"));
    for (const std::string& name : knownArchs())
        arch_->addItem(q(name));
    arch_->setCurrentText(QStringLiteral("sm_90"));
    compiler_ = makeLabel({}, TextRole::caption, content);
    compiler_->setObjectName(QStringLiteral("staticCompiler"));
    compiler_->setWordWrap(true);
    row->addWidget(arch_);
    row->addWidget(compiler_, 1);
    column->addLayout(row);
    launches_ = new DataTable(QStringLiteral("compiled-launches"), content);
    launches_->setSource(&model_);
    launches_->setAccessibleName(tr("Compiled kernels"));
    launches_->setStretchColumn(CompiledTableModel::Limiter);
    launches_->setOptionalColumns({CompiledTableModel::Threads, CompiledTableModel::StaticSmem, CompiledTableModel::Spilled}, 100);
    column->addWidget(launches_);
    mix_ = new StackedBar;
    mixCard_ = new ChartCard(tr("Instructions"), mix_, content);
    gpus_ = new LimitBars;
    gpusCard_ = new ChartCard(tr("Occupancy on each GPU"), gpus_, content);
    auto* charts = new QHBoxLayout;
    charts->setSpacing(kGapInside);
    charts->addWidget(mixCard_, 1);
    charts->addWidget(gpusCard_, 1);
    column->addLayout(charts, 1);
    connect(arch_, &QComboBox::currentIndexChanged, this, [this] { showArch(); });
    return content;
}

void StaticView::setSubject(const Address& address, const Params& problem)
{
    const Result<const KernelFamily*> family = context_.catalogue().family(address.family);
    const Result<const Variant*> variant = context_.catalogue().variant(address);
    std::string source = family && variant ? codeTextOf(**family, **variant).hash() : std::string();
    if (address_ == address && problem_ == problem && source_ == source)
        return;
    address_ = address;
    problem_ = problem;
    source_ = std::move(source);
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

void StaticView::compile()
{
    if (address_.family.empty())
        return;
    stale_ = false;
    state_->showLoading();
    compiling_.start(
        tr("Compiling %1").arg(q(toText(address_))),
        [engine = context_.engine(), address = address_, problem = problem_](const Job& job) -> Result<BuildManyAnswer> {
            // Compiling needs a toolkit and no GPU: a worker of its own, whatever device the window measures on.
            const Result<std::unique_ptr<Collector>> worker = startWorker();
            if (!worker)
                return worker.error();
            const Result<const KernelFamily*> family = engine->catalogue->family(address.family);
            const Result<const Variant*> variant = engine->catalogue->variant(address);
            if (!family || !variant)
                return family ? variant.error() : family.error();
            return buildVariant(**worker, **family, **variant, address.tunables, problem, knownArchs(), job);
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
    showGpus();
}

void StaticView::showArch()
{
    if (!answer_ || arch_->currentIndex() < 0)
        return;
    const auto& built = answer_->points[static_cast<std::size_t>(arch_->currentIndex())];
    const SmLimits sm = deviceTable().capabilities[static_cast<std::size_t>(arch_->currentIndex())].limits;
    if (!built.ok || built.launches.empty()) {
        compiler_->setText(tr("Does not compile: %1").arg(firstLine(built.log)));
        setTextToken(compiler_, Token::worse);
        model_.setLaunches({}, sm);
        mix_->setRows({}, {}, {}, tr("Nothing was compiled for %1").arg(arch_->currentText()));
        return;
    }
    compiler_->setText(tr("%1, %2 s").arg(q(answer_->compiler), q(formatNumber(built.seconds))) +
                       (built.cached ? tr(", compiled earlier") : QString()));
    setTextToken(compiler_, Token::muted);
    model_.setLaunches(built.launches, sm);
    launches_->setFixedHeight(launches_->heightFor(std::min(4, static_cast<int>(built.launches.size()))));
    const std::vector<std::string> classes = commonClasses(built.launches);
    QStringList names;
    for (const std::string& name : classes)
        names << q(name);
    names << tr("rest");
    std::vector<StackedRow> rows;
    for (const CompiledLaunch& launch : built.launches) {
        StackedRow row{q(launch.entry), {}};
        double rest = 0;
        for (const auto& [name, count] : launch.opcodes)
            rest += static_cast<double>(count);
        for (const std::string& name : classes) {
            const auto found = launch.opcodes.find(name);
            row.parts.push_back(found == launch.opcodes.end() ? 0 : static_cast<double>(found->second));
            rest -= row.parts.back();
        }
        row.parts.push_back(rest);
        rows.push_back(std::move(row));
    }
    mixCard_->setFinding(tr("Most instructions are %1").arg(names.front()));
    mix_->setRows(names, std::move(rows), tr("PTX instructions, counted once"), {});
}

void StaticView::showGpus()
{
    std::vector<LimitBar> bars;
    double best = 0;
    for (std::size_t i = 0; i < answer_->points.size(); ++i) { // one architecture each; its GPUs have the same occupancy
        const SmLimits& sm = deviceTable().capabilities[i].limits;
        const BuiltPoint& built = answer_->points[i];
        QStringList gpus;
        for (const GpuRow& gpu : deviceTable().gpus)
            if (gpu.ccMajor == sm.ccMajor && gpu.ccMinor == sm.ccMinor && !gpus.contains(q(gpu.match)))
                gpus << q(gpu.match);
        if (gpus.isEmpty())
            continue;
        LimitBar bar;
        bar.name = gpus.join(QStringLiteral(", "));
        bar.help = q(built.arch);
        if (!built.ok || built.launches.empty()) {
            bar.good = false;
            bar.words = tr("does not compile");
            bar.help += u'\n' + firstLine(built.log);
        } else {
            const Occupancy occupancy = worstOccupancy(built, sm);
            bar.value = occupancy.percent;
            bar.good = occupancy.percent >= kGoodOccupancy;
            bar.words = tr("%1, %2").arg(q(formatPercent(occupancy.percent)), q(occupancy.limiter));
            bar.help += u'\n' + tr("%1 an SM").arg(blocksText(occupancy.blocksPerSm));
            best = std::max(best, occupancy.percent);
        }
        bars.push_back(std::move(bar));
    }
    gpusCard_->setFinding(tr("%1 occupancy at best").arg(q(formatPercent(best))));
    gpus_->setBars(std::move(bars), tr("Occupancy, %"), {});
}

} // namespace kl
