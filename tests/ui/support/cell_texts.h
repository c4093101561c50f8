// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemModel>
#include <QColor>
#include <QStringList>

#include <optional>

namespace kl::ui {

/// What a cell shows, or with Qt::ToolTipRole what its tooltip says.
inline QString say(const QAbstractItemModel& model, int row, int column, int role = Qt::DisplayRole)
{
    return model.index(row, column).data(role).toString();
}

/// What each cell of a row shows.
inline QStringList sayAll(const QAbstractItemModel& model, int row)
{
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
        cells << say(model, row, column);
    return cells;
}

/// What all rows show, a line each.
inline QString sayTable(const QAbstractItemModel& model)
{
    QString lines;
    for (int row = 0; row < model.rowCount(); ++row)
        lines += sayAll(model, row).join(QStringLiteral(" | ")) + u'\n';
    return lines;
}

/// The color of a cell's text; none where it is that of all text.
inline std::optional<QColor> readColor(const QAbstractItemModel& model, int row, int column)
{
    const QVariant ink = model.index(row, column).data(Qt::ForegroundRole);
    return ink.isValid() ? std::optional(ink.value<QColor>()) : std::nullopt;
}

} // namespace kl::ui
