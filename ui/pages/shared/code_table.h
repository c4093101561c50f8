// SPDX-License-Identifier: MIT
#pragma once

#include <QTableView>

namespace kl::ui {

class CodeTableModel;

/// The listing of a kernel's instructions. Rows have one height and are painted only while they are visible. N and P go to the next and the
/// previous hot spot, Ctrl+C copies the selected rows as tab-separated text.
class CodeTable : public QTableView {
    Q_OBJECT
public:
    explicit CodeTable(CodeTableModel* model, QWidget* parent = nullptr);

    /// Selects a row and centers it.
    void showRow(int row);
    /// Selects the next (or previous) hot spot after the current row, from the other end where there is none left.
    void showHotSpot(bool next);
    /// Selects the next row whose text contains the words, from the current row on; false where there is none.
    bool showNext(const QString& words);
    /// Header and selected rows, or all without a selection.
    QString tsv() const;
    /// Hides the columns that have nothing to show.
    void fitColumns();

    QSize sizeHint() const override { return {480, 300}; }

signals:
    void chosen(int row); ///< the current row changed

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    CodeTableModel* code_;
};

} // namespace kl::ui
