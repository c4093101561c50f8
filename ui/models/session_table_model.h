// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "ui/models/record_model.h"
#include "ui/widgets/mark_label.h"

namespace kl {

/// Sessions as a table, shipped and own alike.
class SessionTableModel : public RecordModel<HistoryRow> {
public:
    enum Column { Name, Objective, Minutes, Speedup, Gates, Patterns, Status, Grade, Mistakes, Cost, ColumnCount };
    using RecordModel::RecordModel;

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int column) const override { return column == Minutes || column == Speedup || column == Mistakes || column == Cost; }
    QVariant cell(const HistoryRow& row, int column, int role) const override;
};

/// Marks of G1 to G5; a gate without an outcome has Mark::none.
std::vector<Mark> gateMarks(const HistoryRow& row);
/// "–" for a figure that is not there; "~" before a planned or derived one.
QString figureText(const std::vector<Figure>& figures, std::string (*format)(double));
/// Where each figure comes from, a line each.
QString figureTip(const std::vector<Figure>& figures, std::string (*format)(double));
/// Money of a row, GPU and assistant; nothing when neither is recorded.
std::optional<double> sumCost(const HistoryRow& row);
QString statusWord(SessionStatus status);
/// Mistakes of a row together; nothing for one whose events are not known.
std::optional<int> sumMistakes(const HistoryRow& row);

} // namespace kl
