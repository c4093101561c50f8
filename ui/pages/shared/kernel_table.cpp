// SPDX-License-Identifier: MIT
#include "ui/pages/shared/kernel_table.h"

#include "core/base/format.h"
#include "ui/charts/linked_hover.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <set>

namespace kl::ui {
namespace {

constexpr int kLeastName = 140; ///< pixels; the name gets what the other columns leave
constexpr int kWidestColumn = 220;
constexpr int kLeastWords = 90;    ///< of a column of words, which is elided, where a figure would be cut
constexpr int kMeasuredRows = 200; ///< for the widths of the columns
constexpr int kFilterWidth = 240;

QString widthsKey(const QString& key)
{
    return QStringLiteral("tables/%1/header").arg(key);
}

} // namespace

KernelTable::KernelTable(const QString& key, QWidget* parent)
    : QWidget(parent), proxy_(new WordFilter(this)), key_(key), filter_(new QLineEdit(this)), grouping_(new QComboBox(this)),
      full_(new QCheckBox(tr("Full names"), this)), counts_(makeLabel({}, TextRole::caption, this)),
      compare_(makeButton(tr("Compare selected"), false, this)), view_(new QTreeView(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapInside);
    column->addWidget(makeTools());
    makeView(key);
    column->addWidget(view_, 1);
    showCounts();
}

QWidget* KernelTable::makeTools()
{
    auto* tools = new QWidget(this);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGapInside);
    filter_->setObjectName(QStringLiteral("kernelTableFilter"));
    filter_->setPlaceholderText(tr("Filter kernels (Ctrl+F)"));
    filter_->setToolTip(filter_->placeholderText()); // a popup on a small screen has no room for it
    filter_->setAccessibleName(tr("Filter kernels"));
    filter_->setClearButtonEnabled(true);
    filter_->setMaximumWidth(kFilterWidth);
    filter_->installEventFilter(this);
    connect(filter_, &QLineEdit::textChanged, this, &KernelTable::refilter);
    grouping_->setObjectName(QStringLiteral("kernelGrouping"));
    grouping_->setAccessibleName(tr("Group kernels"));
    grouping_->addItems({tr("No groups"), tr("Group by name"), tr("Group by NVTX range")});
    connect(grouping_, &QComboBox::currentIndexChanged, this, &KernelTable::regroup);
    full_->setObjectName(QStringLiteral("fullNames"));
    connect(full_, &QCheckBox::toggled, this, [this](bool full) { model_.setFullNames(full); });
    compare_->setObjectName(QStringLiteral("compareSelected"));
    connect(compare_, &QPushButton::clicked, this, [this] {
        QStringList ids;
        for (const RunId& id : selected())
            ids << q(id.text);
        emit compareRequested(ids);
    });
    row->addWidget(filter_, 2);
    row->addWidget(grouping_);
    row->addWidget(full_);
    row->addWidget(counts_, 1);
    row->addWidget(compare_);
    return tools;
}

void KernelTable::makeView(const QString& key)
{
    proxy_->setSourceModel(&model_);
    view_->setModel(proxy_);
    view_->setObjectName(QStringLiteral("kernelTable"));
    view_->setAccessibleName(tr("Kernels"));
    view_->setFrameShape(QFrame::NoFrame);
    view_->setUniformRowHeights(true);
    view_->setRootIsDecorated(false);
    view_->setAllColumnsShowFocus(true);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setTextElideMode(Qt::ElideMiddle);
    view_->setSortingEnabled(true);
    view_->sortByColumn(KernelTreeModel::Saved, Qt::DescendingOrder);
    view_->header()->setSectionsMovable(false);
    view_->header()->setStretchLastSection(false);
    view_->header()->setResizeContentsPrecision(kMeasuredRows);
    view_->installEventFilter(this);
    view_->viewport()->installEventFilter(this);
    const QByteArray saved = QSettings().value(widthsKey(key)).toByteArray();
    remembered_ = !saved.isEmpty() && view_->header()->restoreState(saved);
    view_->header()->viewport()->installEventFilter(this);
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        if (!quiet_)
            emitCurrent(&KernelTable::chosen);
    });
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &KernelTable::showCounts);
    view_->setMouseTracking(true);
    connect(view_, &QTreeView::entered, this, [this](const QModelIndex& index) {
        const KernelRow* row = model_.at(proxy_->mapToSource(index));
        LinkedHover::instance().set(row ? q(row->id.text) : QString());
    });
    connect(view_, &QTreeView::doubleClicked, this, [this] { emitCurrent(&KernelTable::opened); });
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view_, &QTreeView::customContextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu(view_);
        menu.addAction(tr("Open"), this, [this] { emitCurrent(&KernelTable::opened); })->setEnabled(view_->currentIndex().isValid());
        if (!picking_)
            menu.addAction(tr("Compare selected"), compare_, &QPushButton::click)->setEnabled(compare_->isEnabled());
        menu.addAction(tr("Copy rows"), QKeySequence::Copy, this, &KernelTable::copy);
        if (fillMenu_)
            fillMenu_(menu, selected());
        menu.exec(view_->viewport()->mapToGlobal(at));
    });
}

void KernelTable::setPicking()
{
    picking_ = true;
    view_->sortByColumn(KernelTreeModel::Started, Qt::DescendingOrder);
    compare_->hide();
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
}

void KernelTable::setRows(std::vector<KernelRow> rows)
{
    const KernelRow* before = model_.at(proxy_->mapToSource(view_->currentIndex()));
    const RunId current = before ? before->id : RunId{};
    const int scrolled = view_->verticalScrollBar()->value();
    quiet_ = true;
    model_.setRows(std::move(rows));
    showColumns();
    quiet_ = false;
    if (!current.empty())
        setCurrent(current);
    view_->verticalScrollBar()->setValue(scrolled);
    showCounts();
}

void KernelTable::setCurrent(const RunId& id)
{
    const QModelIndex now = proxy_->mapToSource(view_->currentIndex());
    if (const KernelRow* row = model_.at(now); row && row->id == id)
        return; // also the group that the kernel is in
    const QModelIndex place = proxy_->mapFromSource(model_.find(id));
    quiet_ = true;
    if (place.isValid()) {
        view_->setCurrentIndex(place);
        view_->scrollTo(place);
    } else {
        view_->clearSelection();
        view_->setCurrentIndex({});
    }
    quiet_ = false;
}

std::optional<RunId> KernelTable::first() const
{
    const KernelRow* row = model_.at(proxy_->mapToSource(proxy_->index(0, 0)));
    return row ? std::optional(row->id) : std::nullopt;
}

std::vector<RunId> KernelTable::selected() const
{
    std::vector<RunId> ids;
    std::set<std::string> seen;
    const auto add = [&](const KernelRow* row) {
        if (row && seen.insert(row->id.text).second)
            ids.push_back(row->id);
    };
    QModelIndexList rows = view_->selectionModel()->selectedRows();
    std::ranges::sort(
        rows, [this](const QModelIndex& a, const QModelIndex& b) { return view_->visualRect(a).top() < view_->visualRect(b).top(); });
    for (const QModelIndex& shown : rows) {
        const QModelIndex index = proxy_->mapToSource(shown);
        if (!model_.isGroup(index))
            add(model_.at(index));
        for (int child = 0; child < model_.rowCount(index); ++child)
            add(model_.at(model_.index(child, 0, index)));
    }
    return ids;
}

void KernelTable::refilter()
{
    emit filterEdited(filter_->text());
    quiet_ = true;
    proxy_->setWords(filter_->text());
    if (model_.grouping() != KernelGrouping::none && !filter_->text().isEmpty())
        view_->expandAll();
    if (const QModelIndex top = proxy_->index(0, 0); picking_ && top.isValid())
        view_->setCurrentIndex(top);
    quiet_ = false;
    showCounts();
}

void KernelTable::regroup(int index)
{
    const KernelRow* before = model_.at(proxy_->mapToSource(view_->currentIndex()));
    const RunId current = before ? before->id : RunId{};
    quiet_ = true;
    model_.setGrouping(static_cast<KernelGrouping>(index));
    view_->setRootIsDecorated(model_.grouping() != KernelGrouping::none);
    view_->setIndentation(model_.grouping() != KernelGrouping::none ? 16 : 0);
    showColumns();
    quiet_ = false;
    if (!current.empty())
        setCurrent(current);
    showCounts();
}

void KernelTable::showColumns()
{
    const bool foreign = std::ranges::any_of(model_.rows(), [](const KernelRow& row) { return !row.origin.isEmpty(); });
    const bool several =
        std::ranges::any_of(model_.rows(), [this](const KernelRow& row) { return row.origin != model_.rows().front().origin; });
    for (int column = 0; column < KernelTreeModel::ColumnCount; ++column) {
        const bool ofHistory = column == KernelTreeModel::Device || column == KernelTreeModel::Started;
        view_->setColumnHidden(column, !model_.hasValues(column) || (ofHistory && foreign && !several));
        if (remembered_ || view_->isColumnHidden(column))
            continue;
        view_->resizeColumnToContents(column);
        view_->header()->resizeSection(column, std::min(view_->columnWidth(column), kWidestColumn));
    }
    if (remembered_)
        return;
    int others = 0;
    for (int column = 1; column < KernelTreeModel::ColumnCount; ++column)
        others += view_->isColumnHidden(column) ? 0 : view_->columnWidth(column);
    const int room = view_->viewport()->width();
    for (const int column : {KernelTreeModel::Range, KernelTreeModel::Shape, KernelTreeModel::Roof, KernelTreeModel::Finding}) {
        const int given = std::clamp(others + kLeastName - room, 0, std::max(0, view_->columnWidth(column) - kLeastWords));
        if (view_->isColumnHidden(column) || given == 0)
            continue;
        view_->header()->resizeSection(column, view_->columnWidth(column) - given);
        others -= given;
    }
    for (const int column : {KernelTreeModel::Share, KernelTreeModel::Calls, KernelTreeModel::Shape, KernelTreeModel::Roof}) {
        if (others + kLeastName <= room || view_->isColumnHidden(column))
            continue; // what a wider window shows, and the details of the run
        others -= view_->columnWidth(column);
        view_->setColumnHidden(column, true);
    }
    view_->header()->resizeSection(KernelTreeModel::Name, std::max(kLeastName, room - others));
}

void KernelTable::showCounts()
{
    std::size_t shown = 0;
    std::optional<double> total;
    for (int g = 0; g < proxy_->rowCount(); ++g) {
        const QModelIndex top = proxy_->index(g, 0);
        const int children = proxy_->rowCount(top);
        shown += static_cast<std::size_t>(std::max(children, 1));
        if (const KernelRow* row = model_.at(proxy_->mapToSource(top)); row && row->totalNs && !row->origin.isEmpty())
            total = total.value_or(0) + *row->totalNs;
    }
    QStringList parts{shown != model_.rows().size() ? tr("%1 of %2 kernels").arg(shown).arg(model_.rows().size())
                      : shown == 1                  ? tr("1 kernel")
                                                    : tr("%1 kernels").arg(shown)};
    if (total)
        parts << q(formatTime(*total));
    const std::size_t chosen = selected().size();
    if (chosen > 1)
        parts << tr("%1 selected").arg(chosen);
    counts_->setText(parts.join(QStringLiteral(" · ")));
    compare_->setEnabled(chosen > 1);
    compare_->setToolTip(chosen > 1 ? QString() : tr("Select several kernels with Ctrl or Shift."));
}

void KernelTable::emitCurrent(void (KernelTable::*signal)(const QString&))
{
    if (const KernelRow* row = model_.at(proxy_->mapToSource(view_->currentIndex())))
        emit(this->*signal)(q(row->id.text));
}

QString KernelTable::tsv(bool selectedOnly) const
{
    const PointsOnly points;
    QStringList lines;
    const auto addLine = [&](const std::function<QString(int)>& cell) {
        QStringList cells;
        for (int column = 0; column < KernelTreeModel::ColumnCount; ++column)
            if (!view_->isColumnHidden(column))
                cells << cell(column).replace(u'\t', u' ').replace(u'\n', u' ');
        lines << cells.join(u'\t');
    };
    const auto addRow = [&](const QModelIndex& row) {
        if (!selectedOnly || view_->selectionModel()->isRowSelected(row.row(), row.parent()))
            addLine([&](int column) { return row.siblingAtColumn(column).data().toString(); });
    };
    addLine([&](int column) { return model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
    for (int g = 0; g < proxy_->rowCount(); ++g) {
        const QModelIndex top = proxy_->index(g, 0);
        addRow(top);
        for (int child = 0; child < proxy_->rowCount(top); ++child)
            addRow(proxy_->index(child, 0, top));
    }
    return withPoints(lines.join(u'\n'));
}

void KernelTable::copy() const
{
    QApplication::clipboard()->setText(tsv(view_->selectionModel()->hasSelection()));
}

bool KernelTable::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == view_->header()->viewport()) {
        if (event->type() == QEvent::MouseButtonRelease) {
            remembered_ = true;
            QSettings().setValue(widthsKey(key_), view_->header()->saveState());
        }
        return false;
    }
    if (watched == view_->viewport()) { // the view's own resize event comes before its viewport has the new size
        if (event->type() == QEvent::Resize)
            showColumns();
        else if (event->type() == QEvent::Leave)
            LinkedHover::instance().set({});
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    auto* key = static_cast<QKeyEvent*>(event);
    if (watched == view_ && key->matches(QKeySequence::Copy)) {
        copy();
        return true;
    }
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
        emitCurrent(&KernelTable::opened);
        return true;
    }
    const bool moves =
        key->key() == Qt::Key_Up || key->key() == Qt::Key_Down || key->key() == Qt::Key_PageUp || key->key() == Qt::Key_PageDown;
    if (watched == filter_ && moves) {
        if (!view_->currentIndex().isValid())
            view_->setCurrentIndex(proxy_->index(0, 0));
        else
            QApplication::sendEvent(view_, event);
        return true;
    }
    return false;
}

} // namespace kl::ui
