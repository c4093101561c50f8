// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QTableView>

#include <functional>
#include <map>
#include <vector>

namespace kl::ui {

/// A dense table: sortable, numbers right-aligned by the model, selection by row, Ctrl+C copies the selected rows as TSV with the
/// header, column widths are remembered under `key`, Enter, a double click and a click on a link open a row. Sorts by the model's
/// Qt::UserRole.
class DataTable : public QTableView {
    Q_OBJECT
public:
    explicit DataTable(const QString& key, QWidget* parent = nullptr);

    /// Puts a sorting proxy over the model (not owned).
    void setSource(QAbstractItemModel* model);
    /// The model's row of the selection, or −1.
    int sourceRow() const;
    /// The selected rows, or all rows, with the header, tab-separated.
    QString tsv(bool selectedOnly) const;
    /// Maximum column width when columns are fitted to their content.
    void setWidestColumn(int pixels) { widest_ = pixels; }
    /// This column gets the remaining width, at least kLeastStretch.
    void setStretchColumn(int column) { stretch_ = column; }
    /// These columns are hidden, last one first, while the stretched one would get less than `least` pixels.
    void setOptionalColumns(std::vector<int> columns, int least);
    /// The stretched column wraps its text over as many lines as needed.
    void setWrapped(bool wrapped);
    /// Wrapped names can also break after their separators (see breakable); copying, sorting and searching use the original name.
    void setBreakable();
    /// Adds a context menu entry with this text, also on Space, that emits secondAction.
    void setSecondAction(const QString& words) { second_ = words; }
    /// As high as its rows, up to this number, so that only the page scrolls; with more rows the table scrolls itself.
    void setGrowing(int mostRows);
    /// The texts of this column are links: a click on one opens its row. `opens`: unset for all rows, else whether a row is one to open.
    void setLinkColumn(int column, std::function<bool(int sourceRow)> opens = {});
    /// Shown below the header while there are no rows.
    void setEmptyText(const QString& text);
    /// Height of the header and this number of rows.
    int heightFor(int rows) const;

    /// Small: pages give a table its room by stretch, and a scrolling page treats size hints as minimums.
    QSize sizeHint() const override { return {320, heightFor(3)}; }

signals:
    void opened(int sourceRow); ///< double click, Enter, or a click on a link
    void chosen(int sourceRow); ///< the current row changed
    void secondAction(int sourceRow);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    /// Detects header drags: column widths also change while a tab with the table is opened.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class LinkDelegate;
    void copy();
    bool isLink(const QModelIndex& index) const;
    void openLink(const QModelIndex& index);
    void fitColumns(); ///< to their content, unless the user has set them
    void giveRoom();
    void fitHeight();                ///< see setGrowing
    void fitRows();                  ///< rows as high as the stretched column's text needs
    int roomForStretch() const;      ///< pixels left by the other visible columns
    int widthFor(int column) const;  ///< needed by header and cells
    int headWidth(int column) const; ///< needed by the header
    int findSourceRow(const QModelIndex& index) const;
    /// Whether a text has one line. Its length is measured once, since rows are fitted at each resize.
    bool isShort(const QString& text, const QFontMetrics& metrics, int width) const;

    QString key_;
    QString second_; ///< empty if there is none
    QString empty_;
    int widest_ = 300;
    int stretch_ = -1;
    int link_ = -1;
    std::function<bool(int)> opens_;
    bool openedByLink_ = false;           ///< within the time of a double click
    mutable QHash<QString, int> lengths_; ///< pixels
    mutable std::map<int, int> widths_;   ///< see widthFor; of the rows that there are
    std::vector<int> optional_;
    int leastStretch_ = 0;
    bool breakable_ = false;
    bool remembered_ = false; ///< the user has set the widths
    bool headerHeld_ = false;
    bool dragged_ = false; ///< a column was dragged since the header was pressed
    int mostRows_ = 0;     ///< 0: the layout determines the height
};

} // namespace kl::ui
