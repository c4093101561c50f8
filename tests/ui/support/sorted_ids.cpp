// SPDX-License-Identifier: MIT
#include "tests/ui/support/sorted_ids.h"

#include "ui/models/record_model.h"

#include <QSortFilterProxyModel>

namespace kl::ui {

QStringList sortedIds(QAbstractItemModel& model, int column, int id, const QModelIndex& parent)
{
    QSortFilterProxyModel proxy;
    proxy.setSourceModel(&model);
    proxy.setSortRole(kSortRole);
    proxy.sort(column, Qt::AscendingOrder);
    const QModelIndex under = proxy.mapFromSource(parent);
    QStringList ids;
    for (int row = 0; row < proxy.rowCount(under); ++row)
        ids << proxy.index(row, id, under).data().toString();
    return ids;
}

} // namespace kl::ui
