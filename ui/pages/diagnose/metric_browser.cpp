// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/metric_browser.h"

#include "ui/import/opened_runs.h"
#include "ui/models/kernel_row.h"
#include "ui/models/record_model.h"
#include "ui/models/word_filter.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include <functional>
#include <set>

namespace kl::ui {
namespace {

constexpr int kMetricFilterWidth = 300;
/// Pixels of the columns, in their order; the first two and the last share what the others leave.
constexpr int kMetricWidths[MetricTreeModel::ColumnCount - 1] = {240, 330, 110, 90, 80, 80, 80};
constexpr double kNameShare = 0.3;
constexpr double kMetricShare = 0.55;
constexpr int kMostName = 300;
constexpr int kMostMetric = 480; ///< the longest names

/// A metric's name ends in what it counts and keeps both ends; a meaning is read from its beginning.
class MeaningDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

} // namespace

MetricBrowser::MetricBrowser(AppContext& context, QWidget* parent)
    : QWidget(parent), context_(context), proxy_(new WordFilter(this)), filter_(new QLineEdit(this)), view_(new QTreeView(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapInside, kGapPage, kGapPage);
    column->setSpacing(kGapInside);
    column->addWidget(makeTools());
    makeView();
    column->addWidget(view_, 1);
}

QWidget* MetricBrowser::makeTools()
{
    auto* tools = new QWidget(this);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGapInside);
    filter_->setObjectName(QStringLiteral("metricFilter"));
    filter_->setPlaceholderText(tr("Filter metrics (Ctrl+F)"));
    filter_->setAccessibleName(tr("Filter metrics"));
    filter_->setClearButtonEnabled(true);
    filter_->setMaximumWidth(kMetricFilterWidth);
    connect(filter_, &QLineEdit::textChanged, this, &MetricBrowser::refilter);
    counts_ = makeLabel({}, TextRole::caption, tools);
    counts_->setObjectName(QStringLiteral("metricCounts"));
    picker_ = new RunPicker(context_, true, tools);
    picker_->setObjectName(QStringLiteral("metricBaseline"));
    picker_->setRun({}, tr("Compare with…"));
    connect(picker_, &RunPicker::picked, this, &MetricBrowser::chooseBaseline);
    QPushButton* clear = makeLinkButton(tr("Clear"), tools);
    clear->setAccessibleName(tr("Compare with no run"));
    connect(clear, &QPushButton::clicked, this, [this] {
        compareWith({});
        fill();
    });
    clear_ = clear;
    row->addWidget(filter_, 1);
    row->addWidget(counts_, 1);
    row->addWidget(picker_);
    row->addWidget(clear_);
    return tools;
}

void MetricBrowser::makeView()
{
    proxy_->setSourceModel(&model_);
    view_->setModel(proxy_);
    view_->setObjectName(QStringLiteral("metricTable"));
    view_->setAccessibleName(tr("Metrics"));
    view_->setFrameShape(QFrame::NoFrame);
    view_->setUniformRowHeights(true);
    view_->setAllColumnsShowFocus(true);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setTextElideMode(Qt::ElideMiddle);
    view_->setSortingEnabled(true);
    view_->header()->setSortIndicator(-1, Qt::AscendingOrder);
    proxy_->sort(-1);
    for (int column = 0; column < MetricTreeModel::ColumnCount - 1; ++column)
        view_->header()->resizeSection(column, kMetricWidths[column]);
    view_->setItemDelegateForColumn(MetricTreeModel::ColumnCount - 1, new MeaningDelegate(view_));
    connect(view_->header(), &QHeaderView::sectionResized, this, [this] { ownWidths_ |= QApplication::mouseButtons() != Qt::NoButton; });
    view_->installEventFilter(this);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view_, &QTreeView::customContextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu(view_);
        menu.addAction(tr("Copy rows"), QKeySequence::Copy, this,
                       [this] { QApplication::clipboard()->setText(tsv(view_->selectionModel()->hasSelection())); });
        menu.addAction(tr("Expand all"), view_, &QTreeView::expandAll);
        menu.addAction(tr("Collapse all"), view_, &QTreeView::collapseAll);
        menu.exec(view_->viewport()->mapToGlobal(at));
    });
}

void MetricBrowser::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

void MetricBrowser::fitColumns()
{
    if (ownWidths_)
        return;
    QHeaderView* header = view_->header();
    int room = width();
    for (int column = MetricTreeModel::Metric + 1; column < MetricTreeModel::ColumnCount - 1; ++column)
        room -= header->isSectionHidden(column) ? 0 : header->sectionSize(column);
    header->resizeSection(MetricTreeModel::Name, std::min(kMostName, static_cast<int>(kNameShare * room)));
    header->resizeSection(MetricTreeModel::Metric, std::min(kMostMetric, static_cast<int>(kMetricShare * room)));
}

void MetricBrowser::setRun(const RunRecord& run, const RunRecord* pinned)
{
    run_ = run;
    if (pinned ? !pinned_ || *pinned_ != pinned->id : pinned_.has_value()) { // else the user's own choice stays
        pinned_ = pinned ? std::optional(pinned->id) : std::nullopt;
        compareWith(pinned ? std::optional(*pinned) : std::nullopt);
    }
    fill();
}

void MetricBrowser::compareWith(std::optional<RunRecord> baseline)
{
    baseline_ = std::move(baseline);
    picker_->setRun(baseline_ ? baseline_->id : RunId{},
                    baseline_ ? tr("Compared with %1").arg(describeKernel(*baseline_).shortName) : tr("Compare with…"));
}

void MetricBrowser::fill()
{
    const MetricRow* current = model_.at(proxy_->mapToSource(view_->currentIndex()));
    const std::string chosen = current ? current->name : std::string();
    std::set<QString> folded;
    for (int section = 0; section < proxy_->rowCount(); ++section)
        if (const QModelIndex index = proxy_->index(section, 0); !view_->isExpanded(index))
            folded.insert(index.data().toString());
    model_.setGroups(run_ ? metricGroups(*run_, baseline_ ? &*baseline_ : nullptr) : std::vector<MetricGroup>{});
    for (int column : {MetricTreeModel::Baseline, MetricTreeModel::Change})
        view_->setColumnHidden(column, !baseline_);
    fitColumns();
    clear_->setVisible(baseline_.has_value());
    for (int section = 0; section < proxy_->rowCount(); ++section)
        view_->setExpanded(proxy_->index(section, 0), !folded.contains(proxy_->index(section, 0).data().toString()));
    for (int section = 0; section < proxy_->rowCount(); ++section)
        view_->setFirstColumnSpanned(section, {}, true);
    refilter();
    if (const QModelIndex place = proxy_->mapFromSource(model_.find(chosen)); place.isValid())
        view_->setCurrentIndex(place);
}

void MetricBrowser::refilter()
{
    proxy_->setWords(filter_->text());
    int shown = 0;
    for (int section = 0; section < proxy_->rowCount(); ++section) {
        shown += proxy_->rowCount(proxy_->index(section, 0));
        view_->setFirstColumnSpanned(section, {}, true);
        if (!filter_->text().isEmpty())
            view_->expand(proxy_->index(section, 0));
    }
    counts_->setText(model_.groups().empty() ? tr("No metrics were collected with this run.")
                     : shown == 1            ? tr("1 metric")
                                             : tr("%1 metrics").arg(shown));
}

void MetricBrowser::showMetric(const QString& name)
{
    filter_->setText(name);
    const QModelIndex place = proxy_->mapFromSource(model_.find(utf8(name)));
    if (!place.isValid())
        return;
    view_->setCurrentIndex(place);
    view_->scrollTo(place);
}

void MetricBrowser::chooseBaseline(const QString& id)
{
    context_.read(
        reading_,
        [id = RunId{utf8(id)}, opened = context_.openedRuns()](Engine& engine, const Job&) {
            return findOpenedOrStored(*engine.store, *opened, id);
        },
        [this](Result<RunRecord> run) {
            if (!run)
                return context_.post(run.error());
            compareWith(std::move(*run));
            fill();
        });
}

QString MetricBrowser::tsv(bool selectedOnly) const
{
    const PointsOnly points;
    QStringList lines;
    const auto add = [&](const std::function<QString(int)>& cell) {
        QStringList cells;
        for (int column = 0; column < MetricTreeModel::ColumnCount; ++column)
            if (!view_->isColumnHidden(column))
                cells << cell(column).replace(u'\t', u' ').replace(u'\n', u' ');
        lines << cells.join(u'\t');
    };
    add([&](int column) { return model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
    for (int section = 0; section < proxy_->rowCount(); ++section) {
        const QModelIndex top = proxy_->index(section, 0);
        for (int row = 0; row < proxy_->rowCount(top); ++row) {
            const QModelIndex metric = proxy_->index(row, 0, top);
            if (selectedOnly && !view_->selectionModel()->isRowSelected(row, top))
                continue;
            add([&](int column) {
                const QVariant raw = metric.siblingAtColumn(column).data(kSortRole);
                return raw.userType() == QMetaType::Double ? QString::number(raw.toDouble(), 'g', 17)
                                                           : metric.siblingAtColumn(column).data().toString();
            });
        }
    }
    return withPoints(lines.join(u'\n'));
}

bool MetricBrowser::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != view_ || event->type() != QEvent::KeyPress || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
        return false;
    QApplication::clipboard()->setText(tsv(view_->selectionModel()->hasSelection()));
    return true;
}

} // namespace kl::ui
