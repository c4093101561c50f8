// SPDX-License-Identifier: MIT
#include "ui/pages/kernels/sweep_view.h"

#include "core/base/try.h"
#include "sessions/measure/problem_axes.h"
#include "sessions/search/candidate_space.h"
#include "ui/charts/chart_card.h"
#include "ui/pages/kernels/sweep_chart.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kFiguresCount = 3;
constexpr int kTableRows = 12;

/// What the recording has, or why sizes were not measured, each sentence once.
QString formatHints(const std::vector<SweepRow>& rows)
{
    QStringList hints;
    for (const SweepRow& row : rows)
        if (const QString hint = q(row.hint); !hint.isEmpty() && !hints.contains(hint))
            hints << hint;
    return hints.join(u' ');
}

} // namespace

SweepView::SweepView(AppContext& context, QWidget* parent) : QWidget(parent), context_(context)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kGapInside, 0, 0);
    column->setSpacing(kGapInside);
    column->addLayout(makeForm());
    auto* content = new QWidget(this);
    state_ = new StateStack(content, this);
    column->addWidget(state_, 1);
    fillResults(content);
    for (const auto changed : {&AppContext::deviceSwitched, &AppContext::databaseSwitched, &AppContext::writabilityChanged})
        connect(&context, changed, this, &SweepView::refreshButton);
    showRows();
}

QLayout* SweepView::makeForm()
{
    auto* column = new QVBoxLayout;
    auto* help =
        makeLabel(tr("For each size one value, a list [512,4096], a range 1024..16384 with a step x2 or +1024, or another size's name."),
                  TextRole::caption, this);
    help->setWordWrap(true);
    form_ = new QFormLayout;
    form_->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    button_ = new ReasonedButton(tr("Sweep"), false, this);
    button_->button()->setObjectName(QStringLiteral("startSweep"));
    connect(button_, &ReasonedButton::clicked, this, &SweepView::measure);
    column->addWidget(help);
    column->addLayout(form_);
    column->addWidget(button_);
    return column;
}

void SweepView::fillResults(QWidget* content)
{
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapInside);
    about_ = makeLabel({}, TextRole::caption, content);
    about_->setObjectName(QStringLiteral("sweepAbout"));
    about_->setWordWrap(true);
    along_ = new QComboBox(content);
    along_->setObjectName(QStringLiteral("sweepAlong"));
    along_->setAccessibleName(tr("Size along the chart"));
    figure_ = new QComboBox(content);
    figure_->setObjectName(QStringLiteral("sweepFigure"));
    figure_->setAccessibleName(tr("Figure of the chart"));
    figure_->addItems({tr("Time"), tr("Throughput"), tr("Speedup")});
    static_assert(static_cast<int>(SweepFigure::speedup) == kFiguresCount - 1);
    connect(along_, &QComboBox::activated, this, &SweepView::showChart);
    connect(figure_, &QComboBox::activated, this, &SweepView::showChart);
    chart_ = new XYChart;
    card_ = new ChartCard(tr("Sweep"), chart_, content);
    card_->setObjectName(QStringLiteral("sweepChart"));
    card_->tools()->insertWidget(0, figure_);
    card_->tools()->insertWidget(1, along_);
    table_ = new DataTable(QStringLiteral("sweep-rows"), content);
    table_->setObjectName(QStringLiteral("sweepRows"));
    table_->setSource(&model_);
    table_->setLinkColumn(SweepTableModel::Problem, [this](int row) { return model_.at(row) && model_.at(row)->run; });
    table_->setStretchColumn(SweepTableModel::Finding);
    table_->setOptionalColumns({SweepTableModel::Kernel, SweepTableModel::Baseline}, 180);
    table_->setGrowing(kTableRows);
    table_->setAccessibleName(tr("Sizes of the sweep"));
    connect(table_, &DataTable::opened, this, [this](int index) {
        if (const SweepRow* row = model_.at(index); row && row->run)
            context_.navigate(QStringLiteral("diagnose"), q(row->run->id.text));
    });
    column->addWidget(about_);
    column->addWidget(card_, 1);
    column->addWidget(table_);
}

void SweepView::setSubject(const Address& kernel, const Params& sizes)
{
    if (kernel == kernel_ && sizes == sizes_)
        return;
    if (kernel.family != kernel_.family || axes_.size() != sizes.size()) {
        while (form_->rowCount() > 0)
            form_->removeRow(0);
        axes_.clear();
        for (const auto& [name, value] : sizes) {
            auto* field = new QLineEdit(this);
            field->setObjectName(QStringLiteral("axis-") + q(name));
            field->setAccessibleName(tr("Values of %1").arg(q(name)));
            connect(field, &QLineEdit::textChanged, this, &SweepView::refreshButton);
            connect(field, &QLineEdit::returnPressed, button_->button(), &QPushButton::click);
            form_->addRow(q(name), field);
            axes_.emplace_back(name, field);
        }
    }
    if (kernel != kernel_)
        model_.setRows({});
    kernel_ = kernel;
    sizes_ = sizes;
    for (const auto& [name, field] : axes_)
        if (const auto value = sizes.find(name); value != sizes.end())
            field->setText(q(formatParamValue(value->second)));
    refreshButton();
    showRows();
}

void SweepView::setFocusOnForm()
{
    if (!axes_.empty())
        axes_.front().second->setFocus();
}

std::string SweepView::axesText() const
{
    QStringList parts;
    for (const auto& [name, field] : axes_)
        parts << q(name) + u'=' + field->text().trimmed();
    return utf8(parts.join(u','));
}

void SweepView::refreshButton()
{
    const bool recorded = context_.engine()->collector->source() == Source::sample;
    QString reason = recorded ? context_.deviceReason() : context_.explainUnmeasurable();
    const Result<std::vector<Params>> problems = parseAxes(axesText());
    if (measuring_.running())
        reason = tr("Measuring");
    else if (axes_.empty())
        reason = tr("This kernel has no sizes.");
    else if (!problems)
        reason = q(problems.error().message);
    button_->setText(problems && problems->size() > 1 ? tr("Sweep %1 sizes").arg(problems->size()) : tr("Sweep"));
    button_->setReason(reason);
}

void SweepView::measure()
{
    const Result<std::vector<Params>> problems = parseAxes(axesText());
    if (!problems)
        return context_.post(problems.error());
    std::vector<std::pair<Address, Params>> points;
    for (const Params& problem : *problems)
        points.emplace_back(kernel_, problem);
    const auto onRow = [this, kernel = kernel_](const SweepRow& row) { // on the measuring thread, which ends before this does
        QMetaObject::invokeMethod(
            this,
            [this, kernel, row] {
                if (kernel != kernel_)
                    return;
                std::vector<SweepRow> rows = model_.rows();
                rows.push_back(row);
                model_.setRows(std::move(rows));
                showRows();
            },
            Qt::QueuedConnection);
    };
    model_.setRows({});
    context_.run(
        measuring_, tr("Sweeping %1").arg(q(toText(kernel_))),
        [points = std::move(points), onRow](Engine& engine, const Job& job) {
            return sweep(engine.bench, points, kSessionTier, job, onRow);
        },
        [this, kernel = kernel_](Result<std::vector<SweepRow>> rows) {
            refreshButton();
            if (!rows)
                return context_.post(rows.error(), tr("The sweep of %1 ended early").arg(q(toText(kernel))));
            if (kernel == kernel_) {
                model_.setRows(std::move(*rows));
                showRows();
            }
        });
    refreshButton();
}

void SweepView::showRows()
{
    const std::vector<SweepRow>& rows = model_.rows();
    if (rows.empty())
        return state_->showEmpty({QStringLiteral("empty"),
                                  tr("No sweep of this kernel yet"),
                                  tr("Give at least one size several values to see time, throughput, speedup and finding over them."),
                                  {},
                                  {}});
    const auto measured = std::ranges::count_if(rows, [](const SweepRow& row) { return row.ns().has_value(); });
    QStringList about{tr("%1 of %2 sizes measured.").arg(measured).arg(rows.size())};
    if (const QString hints = formatHints(rows); !hints.isEmpty())
        about << hints;
    about_->setText(about.join(u' '));
    const QString shown = along_->currentText();
    along_->clear();
    for (const std::string& axis : listSweptAxes(rows))
        along_->addItem(q(axis));
    if (along_->count() == 0)
        for (const auto& [name, field] : axes_)
            along_->addItem(q(name));
    along_->setCurrentIndex(std::max(0, along_->findText(shown)));
    along_->setVisible(along_->count() > 1);
    showChart();
    state_->showContent();
}

void SweepView::showChart()
{
    const std::string axis = utf8(along_->currentText());
    const auto figure = static_cast<SweepFigure>(figure_->currentIndex());
    chart_->setSpec(sweepSpec(model_.rows(), axis, figure));
    card_->setFinding(sweepFinding(model_.rows(), axis, figure));
}

} // namespace kl::ui
