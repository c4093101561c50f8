// SPDX-License-Identifier: MIT
#include "ui/models/word_filter.h"

#include <algorithm>

namespace kl::ui {

WordFilter::WordFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(kSortRole);
    setDynamicSortFilter(true);
    setRecursiveFilteringEnabled(true);
}

void WordFilter::setWords(const QString& text)
{
    words_ = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool WordFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    if (words_.isEmpty())
        return true;
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    if (sourceModel()->hasChildren(index))
        return false; // by its rows
    const QString text = index.data(kFilterRole).toString();
    return std::all_of(words_.begin(), words_.end(), [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace kl::ui
