// SPDX-License-Identifier: MIT
#pragma once

#include <QTableView>

#include <vector>

namespace kl {

/// A dense table: sortable, numbers right-aligned by the model, selection by row, Ctrl+C copies the selected rows as TSV with the
/// header, column widths are remembered under `key`, Enter and double click open a row. Sorts by the model's Qt::UserRole.
class DataTable : public QTableView {
    Q_OBJECT
public:
    explicit DataTable(const QString& key, QWidget* parent = nullptr);

    /// Puts a sorting proxy over the model (not owned).
    void setSource(QAbstractItemModel* model);
    /// The model's row of the selection, or −1.
    int sourceRow() const;
    /// The selected rows, or all of them, with the header, tab-separated.
    QString tsv(bool selectedOnly) const;
    /// No column is made wider than this when the columns are fitted to their content.
    void setWidestColumn(int pixels) { widest_ = pixels; }
    /// This column takes what room the others leave, at least kLeastStretch.
    void setStretchColumn(int column) { stretch_ = column; }
    /// These columns are left out while the stretched one would get less than `least` pixels, from the last of them on.
    void setOptionalColumns(std::vector<int> columns, int least);
    /// The stretched column shows its whole text over as many lines as it needs.
    void setWrapped(bool wrapped);
    /// Its names, wrapped, may also end a line after their joints (see breakable); what is copied, sorted and searched stays the name.
    void setBreakable();
    /// What Space, or an entry of the context menu with these words, does to a row: secondAction is emitted.
    void setSecondAction(const QString& words) { second_ = words; }
    /// As high as its rows, up to so many, so that only the page scrolls; with more of them the table scrolls itself.
    void setGrowing(int mostRows);
    /// Height of the header and so many rows.
    int heightFor(int rows) const;

    /// Little: pages give a table room by stretch, and a scrolling page takes hints as needs.
    QSize sizeHint() const override { return {320, heightFor(3)}; }

signals:
    void opened(int sourceRow); ///< double click or Enter
    void chosen(int sourceRow); ///< the current row changed
    void secondAction(int sourceRow);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    /// Sees the header being dragged: a column also changes its width while a tab that shows the table is being clicked.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void copy();
    void fitColumns(); ///< to their content, where the user has not set them
    void giveRoom();
    void fitHeight();               ///< see setGrowing
    void fitRows();                 ///< rows as high as the stretched column's text needs
    int roomForStretch() const;     ///< pixels that the shown columns leave
    int widthFor(int column) const; ///< what header and cells need
    int findSourceRow(const QModelIndex& index) const;

    QString key_;
    QString second_; ///< empty: there is none
    int widest_ = 300;
    int stretch_ = -1;
    std::vector<int> optional_;
    int leastStretch_ = 0;
    bool breakable_ = false;
    bool remembered_ = false; ///< the widths are the user's
    bool headerHeld_ = false;
    bool dragged_ = false; ///< a column, since the header was pressed
    int mostRows_ = 0;     ///< 0: the layout gives the height
};

} // namespace kl
