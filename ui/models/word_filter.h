// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/record_model.h"

#include <QSortFilterProxyModel>
#include <QStringList>

namespace kl::ui {

/// The role with the text that a row is found by.
inline constexpr int kFilterRole = kSortRole + 1;

/// Keeps the rows of a tree of two levels whose kFilterRole contains every word, and the groups that have such a row. Sorts by kSortRole.
class WordFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit WordFilter(QObject* parent = nullptr);
    void setWords(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList words_;
};

} // namespace kl::ui
