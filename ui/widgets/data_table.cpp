// SPDX-License-Identifier: MIT
#include "ui/widgets/data_table.h"

#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/decimal_mark.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QSettings>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTimer>

#include <utility>

namespace kl::ui {

namespace {

constexpr int kRowHeight = 28;
constexpr int kLeastStretch = 76;
constexpr int kMeasuredRows = 200; ///< as wide as these need: measuring a thousand at every change is felt
constexpr int kHeaderRoom = 20;    ///< margins
constexpr int kCellRoom = 6;
constexpr int kCellMargins = 16; ///< left and right of a cell's text together
constexpr int kRowMargins = 8;
constexpr int kTallestRow = 400;
constexpr qsizetype kMostLengths = 10'000;

QString widthsKey(const QString& key)
{
    return QStringLiteral("tables/%1/header").arg(key);
}

class BreakingDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QString displayText(const QVariant& value, const QLocale& locale) const override
    {
        return breakable(QStyledItemDelegate::displayText(value, locale));
    }
};

} // namespace

class DataTable::LinkDelegate : public QStyledItemDelegate {
public:
    explicit LinkDelegate(DataTable* table) : QStyledItemDelegate(table), table_(table) {}

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (table_->isLink(index))
            option->palette.setColor(QPalette::Text, color(Token::accent));
    }

private:
    const DataTable* table_;
};

DataTable::DataTable(const QString& key, QWidget* parent) : QTableView(parent), key_(key)
{
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    verticalHeader()->setMinimumSectionSize(kRowHeight);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setMinimumHeight(kRowHeight);
    horizontalHeader()->viewport()->installEventFilter(this);
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { emit opened(findSourceRow(index)); });
}

void DataTable::setSource(QAbstractItemModel* source)
{
    auto* proxy = new QSortFilterProxyModel(this);
    proxy->setSourceModel(source);
    proxy->setSortRole(Qt::UserRole);
    proxy->setDynamicSortFilter(true);
    setModel(proxy);
    setSortingEnabled(true);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    proxy->sort(-1);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) { emit chosen(findSourceRow(now)); });
    const QByteArray saved = QSettings().value(widthsKey(key_)).toByteArray();
    remembered_ = !saved.isEmpty() && horizontalHeader()->restoreState(saved);
    horizontalHeader()->setResizeContentsPrecision(kMeasuredRows);
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(proxy, changed, this, [this] { widths_.clear(); });
    connect(proxy, &QAbstractItemModel::dataChanged, this, [this] { widths_.clear(); });
    connect(proxy, &QAbstractItemModel::modelReset, this, &DataTable::fitColumns);
    connect(proxy, &QAbstractItemModel::layoutChanged, this, &DataTable::giveRoom);
    fitColumns();
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this] { dragged_ = headerHeld_; });
}

bool DataTable::eventFilter(QObject* watched, QEvent* event)
{
    if (openedByLink_ && event->type() == QEvent::MouseButtonDblClick)
        return true;
    if (watched != horizontalHeader()->viewport())
        return QTableView::eventFilter(watched, event);
    if (event->type() == QEvent::MouseButtonPress) {
        headerHeld_ = true;
        dragged_ = false;
    } else if (event->type() == QEvent::MouseButtonRelease) {
        headerHeld_ = false;
        if (std::exchange(dragged_, false)) {
            remembered_ = true;
            QSettings().setValue(widthsKey(key_), horizontalHeader()->saveState());
        }
    }
    return false;
}

void DataTable::fitColumns()
{
    widths_.clear();
    for (int c = 0; !remembered_ && model() && c < model()->columnCount(); ++c)
        setColumnWidth(c, std::min(widthFor(c), widest_));
    giveRoom();
}

int DataTable::widthFor(int column) const
{
    const auto [place, isNew] = widths_.try_emplace(column, 0);
    if (isNew) {
        place->second = std::max(headWidth(column), sizeHintForColumn(column) + kCellRoom);
    }
    return place->second;
}

int DataTable::headWidth(int column) const
{
    return horizontalHeader()->fontMetrics().horizontalAdvance(model()->headerData(column, Qt::Horizontal).toString()) + kHeaderRoom;
}

void DataTable::setOptionalColumns(std::vector<int> columns, int least)
{
    optional_ = std::move(columns);
    leastStretch_ = least;
    giveRoom();
}

void DataTable::setWrapped(bool wrapped)
{
    setWordWrap(wrapped);
    giveRoom();
}

void DataTable::setBreakable()
{
    breakable_ = true;
    setItemDelegateForColumn(stretch_, new BreakingDelegate(this));
    giveRoom();
}

void DataTable::setLinkColumn(int column, std::function<bool(int sourceRow)> opens)
{
    link_ = column;
    opens_ = std::move(opens);
    setItemDelegateForColumn(column, new LinkDelegate(this));
    setMouseTracking(true); // entered() comes with the pointer, not only with a button
    connect(this, &QTableView::entered, this,
            [this](const QModelIndex& index) { viewport()->setCursor(isLink(index) ? Qt::PointingHandCursor : Qt::ArrowCursor); });
    connect(this, &QTableView::viewportEntered, this, [this] { viewport()->setCursor(Qt::ArrowCursor); });
    connect(this, &QTableView::clicked, this, &DataTable::openLink);
}

bool DataTable::isLink(const QModelIndex& index) const
{
    return index.isValid() && index.column() == link_ && (!opens_ || opens_(findSourceRow(index)));
}

/// The rest of a double click is dropped: it would hit what is shown in the place of the table by then.
void DataTable::openLink(const QModelIndex& index)
{
    if (!isLink(index) || openedByLink_ || QApplication::keyboardModifiers() != Qt::NoModifier) // with one it only selects
        return;
    openedByLink_ = true;
    qApp->installEventFilter(this);
    QTimer::singleShot(QApplication::doubleClickInterval(), this, [this] {
        openedByLink_ = false;
        qApp->removeEventFilter(this);
    });
    emit opened(findSourceRow(index));
}

void DataTable::setGrowing(int mostRows)
{
    mostRows_ = mostRows;
    fitHeight();
}

void DataTable::setEmptyText(const QString& text)
{
    empty_ = text;
    fitHeight();
    viewport()->update();
}

void DataTable::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    if (empty_.isEmpty() || !model() || model()->rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(color(Token::muted));
    painter.drawText(QRect(kCellMargins / 2, 0, viewport()->width() - kCellMargins, kRowHeight), Qt::AlignLeft | Qt::AlignVCenter, empty_);
}

void DataTable::fitHeight()
{
    if (mostRows_ == 0 || !model())
        return;
    const int rows = model()->rowCount();
    int height = horizontalHeader()->sizeHint().height() + 2 * frameWidth();
    for (int row = 0; row < std::min(rows, mostRows_); ++row)
        height += rowHeight(row);
    if (rows == 0 && !empty_.isEmpty())
        height += kRowHeight;
    if (horizontalScrollBar()->maximum() > 0)
        height += horizontalScrollBar()->sizeHint().height();
    setVerticalScrollBarPolicy(rows <= mostRows_ ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    setFixedHeight(height);
}

int DataTable::roomForStretch() const
{
    int last = model()->columnCount() - 1; // the header stretches the last visible column: its width is meaningless
    while (last > 0 && isColumnHidden(last))
        --last;
    int others = 0;
    for (int c = 0; c <= last; ++c)
        if (c != stretch_ && !isColumnHidden(c))
            others += c == last ? widthFor(c) : columnWidth(c);
    return viewport()->width() - others;
}

void DataTable::giveRoom()
{
    if (stretch_ < 0 || !model())
        return fitHeight();
    for (const int column : optional_)
        setColumnHidden(column, false);
    const int least = std::max(kLeastStretch, headWidth(stretch_));
    for (auto column = optional_.rbegin(); column != optional_.rend() && roomForStretch() < std::max(least, leastStretch_); ++column)
        setColumnHidden(*column, true);
    setColumnWidth(stretch_, std::max(least, roomForStretch()));
    if (wordWrap())
        fitRows();
    fitHeight();
}

void DataTable::fitRows()
{
    if (!testAttribute(Qt::WA_Resized)) // its width is nobody's choice yet; rows are fitted when it gets one
        return;
    const int width = columnWidth(stretch_) - kCellMargins;
    for (int row = 0; row < model()->rowCount(); ++row) {
        const QModelIndex cell = model()->index(row, stretch_);
        const QString text = breakable_ ? breakable(cell.data().toString()) : cell.data().toString();
        const QVariant own = cell.data(Qt::FontRole);
        const QFontMetrics metrics = own.isValid() ? QFontMetrics(own.value<QFont>()) : fontMetrics();
        const int height =
            isShort(text, metrics, width) ? 0 : metrics.boundingRect(QRect(0, 0, width, kTallestRow), Qt::TextWordWrap, text).height();
        setRowHeight(row, std::max(kRowHeight, height + kRowMargins));
    }
}

bool DataTable::isShort(const QString& text, const QFontMetrics& metrics, int width) const
{
    if (lengths_.size() > kMostLengths)
        lengths_.clear();
    auto known = lengths_.find(text);
    if (known == lengths_.end())
        known = lengths_.insert(text, metrics.horizontalAdvance(text));
    return *known <= width && !text.contains(u'\n');
}

void DataTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    giveRoom();
}

int DataTable::findSourceRow(const QModelIndex& index) const
{
    const auto* proxy = qobject_cast<const QSortFilterProxyModel*>(model());
    return proxy && index.isValid() ? proxy->mapToSource(index).row() : -1;
}

int DataTable::sourceRow() const
{
    return findSourceRow(currentIndex());
}

int DataTable::heightFor(int rows) const
{
    return kRowHeight * (rows + 1) + 4;
}

QString DataTable::tsv(bool selectedOnly) const
{
    if (!model())
        return {};
    const PointsOnly points;
    QStringList header;
    for (int c = 0; c < model()->columnCount(); ++c)
        header << model()->headerData(c, Qt::Horizontal).toString();
    QStringList lines{header.join(u'\t')};
    for (int r = 0; r < model()->rowCount(); ++r) {
        if (selectedOnly && !selectionModel()->isRowSelected(r))
            continue;
        QStringList cells;
        for (int c = 0; c < model()->columnCount(); ++c)
            cells << model()->index(r, c).data().toString().replace(u'\t', u' ').replace(u'\n', u' ');
        lines << cells.join(u'\t');
    }
    return withPoints(lines.join(u'\n'));
}

void DataTable::copy()
{
    QApplication::clipboard()->setText(tsv(selectionModel() && selectionModel()->hasSelection()));
}

void DataTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copy();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        emit opened(sourceRow());
    else if (event->key() == Qt::Key_Space && !second_.isEmpty() && sourceRow() >= 0)
        emit secondAction(sourceRow());
    else
        QTableView::keyPressEvent(event);
}

void DataTable::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    if (sourceRow() >= 0)
        menu.addAction(tr("Open"), this, [this] { emit opened(sourceRow()); });
    if (sourceRow() >= 0 && !second_.isEmpty())
        menu.addAction(second_, QKeySequence(Qt::Key_Space), this, [this] { emit secondAction(sourceRow()); });
    menu.addAction(tr("Copy rows"), QKeySequence::Copy, this, [this] { copy(); });
    menu.exec(event->globalPos());
}

} // namespace kl::ui
