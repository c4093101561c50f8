// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/kernel_tree_model.h"

#include <QWidget>

#include <functional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QTreeView;

namespace kl::ui {

class WordFilter;

/// Measured kernels with what limits them and what fixing it should save: sorted by the time saved until a header is clicked, filtered by
/// words, grouped by name or NVTX range. The selection is what the arrow keys move; several rows can be compared.
class KernelTable : public QWidget {
    Q_OBJECT
public:
    /// `key`: under which column widths are remembered.
    explicit KernelTable(const QString& key, QWidget* parent = nullptr);

    /// Keeps the selection, the sorting and the scroll position where their rows are still there.
    void setRows(std::vector<KernelRow> rows);
    const std::vector<KernelRow>& rows() const { return model_.rows(); }
    /// Selects a row without emitting chosen(); scrolls to it.
    void setCurrent(const RunId& id);
    /// The row with the largest saving, as shown: where a newly opened report begins. Unset without rows.
    std::optional<RunId> first() const;
    /// Adds to the context menu what can be done with the selected runs.
    using MenuFiller = std::function<void(QMenu& menu, const std::vector<RunId>& selected)>;
    void setMenuFiller(MenuFiller fill) { fillMenu_ = std::move(fill); }
    /// A list to choose one run from: no buttons for grouping and comparing, and the newest first, an order that is known before the
    /// savings are read.
    void setPicking();

    QLineEdit* filterField() const { return filter_; }
    QTreeView* view() const { return view_; }
    /// The selected kernels in the order shown; those of a selected group are all in it.
    std::vector<RunId> selected() const;
    /// Header and selected rows, or all, tab-separated.
    QString tsv(bool selectedOnly) const;

signals:
    void chosen(const QString& id);            ///< the current row changed, by the user
    void opened(const QString& id);            ///< Enter or double click
    void compareRequested(const QStringList&); ///< ids of at least two runs
    void filterEdited(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeTools();
    void makeView(const QString& key);
    void refilter();
    void showCounts();
    void showColumns();
    void regroup(int index);
    void copy() const;
    void emitCurrent(void (KernelTable::*signal)(const QString&));

    KernelTreeModel model_;
    WordFilter* proxy_;
    QString key_;
    QLineEdit* filter_;
    QComboBox* grouping_;
    QCheckBox* full_;
    QLabel* counts_;
    QPushButton* compare_;
    QTreeView* view_;
    bool quiet_ = false;      ///< the current row changes by the program
    bool remembered_ = false; ///< the user has set the widths
    bool picking_ = false;
    MenuFiller fillMenu_;
};

} // namespace kl::ui
