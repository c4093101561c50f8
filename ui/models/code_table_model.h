// SPDX-License-Identifier: MIT
#pragma once

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "core/sass/code_lines.h"
#endif

#include <QAbstractTableModel>
#include <QStringList>

#include <array>
#include <cstddef>
#include <vector>

namespace kl::ui {

/// The instructions of a kernel in address order, or, collapsed, its source lines with their sums. Cells are made when they are asked for,
/// so that 100,000 instructions cost nothing until they are shown.
class CodeTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Place, Text, Samples, Executed, Threads, Sectors, Conflicts, Live, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setCode(const SharedCode& code);
    const SharedCode& code() const { return code_; }
    /// One row per source line instead of one per instruction.
    void setCollapsed(bool collapsed);
    bool collapsed() const { return collapsed_; }

    /// The sums of the source lines.
    const std::vector<LineSum>& lines() const { return lines_; }
    /// The instruction or, collapsed, the sums of the line. Null for a row that does not exist.
    const CodeInstruction* at(int row) const;
    /// The row of an instruction or of its line; −1 without such a row.
    int lookUpRow(std::size_t instruction) const;
    /// The rows of a source line.
    std::vector<int> rowsAt(int file, int line) const;
    /// The row with the most samples of a source line; −1 without such a row.
    int hottestAt(int file, int line) const;
    /// Rows with the most samples among their neighbors, ascending (hotSpots).
    const std::vector<std::size_t>& hotRows() const { return hot_; }
    std::vector<std::int64_t> samples() const;
    std::int64_t mostSamples() const { return most_; }
    std::int64_t allSamples() const { return all_; }
    /// The rows of this line are marked; line 0: none.
    void setMarked(int file, int line);
    bool isMarked(const CodeInstruction& row) const { return line_ > 0 && row.line == line_ && row.file == file_; }

    /// Names of the parts of the stall bars: the most frequent stalls, then "other" and "not stalled".
    const QStringList& parts() const { return parts_; }
    /// Samples of a row by part.
    std::vector<std::int64_t> sumParts(const CodeInstruction& row) const;
    /// Whether any instruction has something to show there.
    bool hasColumn(int column) const { return (column == Text && collapsed_) || has_[static_cast<std::size_t>(column)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : ColumnCount; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void summarize();
    void nameParts();
    void listColumns();
    QString text(int row, int column) const;
    QString formatInstructionPlace(const CodeInstruction& row) const;
    QString tip(int row) const;

    SharedCode code_;
    bool collapsed_ = false;
    std::vector<LineSum> lines_;
    std::vector<std::size_t> hot_;
    std::int64_t most_ = 0; ///< samples of the hottest row
    std::int64_t all_ = 0;
    QStringList parts_;
    std::vector<int> partOfStall_; ///< by index into KernelCode::stalls
    std::array<bool, ColumnCount> has_{};
    bool hasIdeal_ = false; ///< bank conflicts can be told from wavefronts
    int file_ = -1;
    int line_ = 0;
};

} // namespace kl::ui
