// SPDX-License-Identifier: MIT
#pragma once

#include <QModelIndex>
#include <QStringList>

class QAbstractItemModel;

namespace kl::ui {

/// What the column `id` shows of the rows under `parent`, in the order in which a table shows them that is sorted by `column`, ascending.
QStringList sortedIds(QAbstractItemModel& model, int column, int id = 0, const QModelIndex& parent = {});

} // namespace kl::ui
