// SPDX-License-Identifier: MIT
#include "ui/models/kernel_tree_model.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <map>

namespace kl::ui {
namespace {

/// Internal id of a group; a kernel within a group has the group's number above it.
constexpr quintptr kGroupId = 0;

QVariant rawFigure(const std::optional<double>& value)
{
    return value ? QVariant(*value) : QVariant(-1.0); // missing values sort below every measurement
}

bool isNumeric(int column)
{
    using Model = KernelTreeModel;
    return column == Model::Calls || column == Model::Time || column == Model::Total || column == Model::Share || column == Model::Roof ||
           column == Model::Speedup || column == Model::Saved;
}

} // namespace

KernelTreeModel::KernelTreeModel(QObject* parent) : QAbstractItemModel(parent) {}

void KernelTreeModel::setRows(std::vector<KernelRow> rows)
{
    beginResetModel();
    rows_ = std::move(rows);
    group();
    endResetModel();
}

void KernelTreeModel::setGrouping(KernelGrouping grouping)
{
    beginResetModel();
    grouping_ = grouping;
    group();
    endResetModel();
}

void KernelTreeModel::setFullNames(bool full)
{
    fullNames_ = full;
    if (groups_.empty())
        return;
    emit dataChanged(index(0, Name), index(rowCount() - 1, Name));
    for (int g = 0; grouping_ != KernelGrouping::none && g < rowCount(); ++g)
        emit dataChanged(index(0, Name, index(g, 0)), index(rowCount(index(g, 0)) - 1, Name, index(g, 0)));
}

QString KernelTreeModel::groupName(const KernelRow& row) const
{
    return grouping_ == KernelGrouping::name ? row.name : row.range.isEmpty() ? tr("(no NVTX range)") : row.range;
}

void KernelTreeModel::group()
{
    groups_.clear();
    std::map<QString, std::size_t> known;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (grouping_ == KernelGrouping::none) {
            groups_.push_back({{}, {i}, {}});
            continue;
        }
        const QString name = groupName(rows_[i]);
        const auto [place, fresh] = known.try_emplace(name, groups_.size());
        if (fresh)
            groups_.push_back({name, {}, {}});
        groups_[place->second].rows.push_back(i);
    }
    if (grouping_ == KernelGrouping::none)
        return;
    for (Group& group : groups_) {
        std::vector<const KernelRow*> rows;
        for (const std::size_t i : group.rows)
            rows.push_back(&rows_[i]);
        group.sum = sumKernels(rows);
    }
}

bool KernelTreeModel::isGroup(const QModelIndex& index) const
{
    return index.isValid() && grouping_ != KernelGrouping::none && index.internalId() == kGroupId;
}

const KernelRow* KernelTreeModel::at(const QModelIndex& index) const
{
    if (!index.isValid())
        return nullptr;
    if (isGroup(index))
        return &groups_[static_cast<std::size_t>(index.row())].sum;
    const Group& group = groups_[index.internalId() == kGroupId ? static_cast<std::size_t>(index.row()) : index.internalId() - 1];
    return &rows_[group.rows[index.internalId() == kGroupId ? 0 : static_cast<std::size_t>(index.row())]];
}

QModelIndex KernelTreeModel::find(const RunId& id) const
{
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (std::size_t i = 0; i < groups_[g].rows.size(); ++i)
            if (rows_[groups_[g].rows[i]].id == id)
                return grouping_ == KernelGrouping::none ? createIndex(static_cast<int>(g), 0, kGroupId)
                                                         : createIndex(static_cast<int>(i), 0, static_cast<quintptr>(g + 1));
    return {};
}

bool KernelTreeModel::hasValues(int column) const
{
    return std::ranges::any_of(rows_, [&](const KernelRow& row) {
        switch (column) {
        case Range: return !row.range.isEmpty();
        case Share: return row.share.has_value();
        case Calls: return row.calls > 1;
        case Total: return row.calls > 1 || grouping_ != KernelGrouping::none;
        case Roof: return row.roofPercent.has_value();
        case Speedup: return row.speedup.has_value();
        case Saved: return row.savedNs.has_value();
        default: return true;
        }
    });
}

QModelIndex KernelTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : kGroupId);
}

QModelIndex KernelTreeModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == kGroupId)
        return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, kGroupId);
}

int KernelTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(groups_.size());
    if (parent.column() != 0 || !isGroup(parent))
        return 0;
    return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].rows.size());
}

int KernelTreeModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant KernelTreeModel::data(const QModelIndex& index, int role) const
{
    const KernelRow* row = at(index);
    if (row == nullptr)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isNumeric(index.column()) ? Qt::AlignRight : Qt::AlignLeft)));
    if (!isGroup(index))
        return cell(*row, index.column(), role);
    const Group& group = groups_[static_cast<std::size_t>(index.row())];
    const bool named = index.column() == Name && (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == kSortRole);
    if (named)
        return QStringLiteral("%1 (%2)").arg(grouping_ == KernelGrouping::name ? chooseName(*row) : group.name).arg(group.rows.size());
    const bool several = group.rows.size() > 1 && (index.column() == Shape || index.column() == Started ||
                                                   (index.column() == Range && grouping_ == KernelGrouping::name));
    if (several && role != Qt::ForegroundRole)
        return {};
    return cell(*row, index.column(), role);
}

QVariant KernelTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const char* const kNames[ColumnCount] = {
        QT_TR_NOOP("Kernel"),     QT_TR_NOOP("NVTX range"), QT_TR_NOOP("Shape"),   QT_TR_NOOP("Calls"), QT_TR_NOOP("Time"),
        QT_TR_NOOP("Total"),      QT_TR_NOOP("Share"),      QT_TR_NOOP("Finding"), QT_TR_NOOP("Roof"),  QT_TR_NOOP("Est. speedup"),
        QT_TR_NOOP("Time saved"), QT_TR_NOOP("Device"),     QT_TR_NOOP("When")};
    static const char* const kHelp[ColumnCount] = {
        QT_TR_NOOP("The kernel's name; \"Full names\" shows template arguments and parameters"),
        QT_TR_NOOP("NVTX ranges open at the launch, outermost first"),
        QT_TR_NOOP("Blocks of the grid × threads of a block; the problem size of a kernel of the catalog"),
        QT_TR_NOOP("Launches of the kernel"),
        QT_TR_NOOP("GPU time of one call"),
        QT_TR_NOOP("GPU time of all calls"),
        QT_TR_NOOP("Share of the GPU time of all kernels of the report or program"),
        QT_TR_NOOP("What limits the kernel"),
        QT_TR_NOOP("How close the kernel is to the roof that it is closest to"),
        QT_TR_NOOP("Estimated speedup of the kernel if the finding is fixed"),
        QT_TR_NOOP("Time of all calls that fixing the finding should save"),
        QT_TR_NOOP("GPU that it was measured on"),
        QT_TR_NOOP("When it was measured")};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isNumeric(section) ? Qt::AlignRight : Qt::AlignLeft)));
    if (role == Qt::ToolTipRole)
        return tr(kHelp[section]);
    return role == Qt::DisplayRole ? QVariant(tr(kNames[section])) : QVariant();
}

QString KernelTreeModel::format(const KernelRow& row, int column) const
{
    switch (column) {
    case Name: return chooseName(row);
    case Range: return row.range;
    case Shape: return row.shape;
    case Calls: return q(formatCount(static_cast<double>(row.calls)));
    case Time: return row.failed ? markSign(Mark::fail) + u' ' + tr("failed") : q(formatTime(row.ns));
    case Total: return q(formatTime(row.totalNs));
    case Share: return row.share ? q(formatPercent(100 * *row.share)) : QString();
    case Finding: return row.classId.isEmpty() ? tr("not profiled") : row.priority + u' ' + row.classId;
    case Roof: return row.roofPercent ? QStringLiteral("%1 %2").arg(row.roof, q(formatPercent(*row.roofPercent))) : QString();
    case Speedup: return row.speedup ? q(formatRatio(*row.speedup)) : QString();
    case Saved: return row.savedNs ? q(formatTime(*row.savedNs)) : QString();
    case Device: return row.device;
    default: return relative(row.startedAt);
    }
}

QVariant KernelTreeModel::raw(const KernelRow& row, int column) const
{
    switch (column) {
    case Shape: return row.threads;
    case Calls: return static_cast<qlonglong>(row.calls);
    case Time: return rawFigure(row.ns);
    case Total: return rawFigure(row.totalNs);
    case Share: return rawFigure(row.share);
    case Roof: return rawFigure(row.roofPercent);
    case Speedup: return rawFigure(row.speedup);
    case Saved: return rawFigure(row.savedNs);
    case Started: return q(row.startedAt);
    default: return format(row, column);
    }
}

QVariant KernelTreeModel::cell(const KernelRow& row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole: return format(row, column);
    case Qt::ToolTipRole:
        return column == Name      ? row.name
               : column == Finding ? (row.finding.isEmpty() ? format(row, column) : withMark(row.finding))
               : column == Started ? absoluteTime(row.startedAt)
                                   : format(row, column);
    case Qt::ForegroundRole:
        return column == Saved && row.savedNs ? QVariant(color(Token::better))
               : column == Time && row.failed ? QVariant(color(Token::worse))
                                              : QVariant();
    case kSortRole: return raw(row, column);
    case kFilterRole: {
        QStringList words{row.name,    row.shortName,         row.range,  row.shape,     row.priority,
                          row.classId, withMark(row.finding), row.device, row.originName};
        return words.join(u' ');
    }
    default: return {};
    }
}

} // namespace kl::ui
