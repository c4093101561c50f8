// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/learning/history.h"
#include "ui/models/record_model.h"
#include "ui/widgets/mark_label.h"

namespace kl::ui {

/// Sessions as a table, sample and own ones.
class SessionTableModel : public RecordModel<HistoryRow> {
public:
    enum Column { Name, Objective, Minutes, Gain, Speedup, Gates, Patterns, Status, Grade, Mistakes, Cost, ColumnCount };
    using RecordModel::RecordModel;

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int column) const override
    {
        return column == Minutes || column == Gain || column == Speedup || column == Mistakes || column == Cost;
    }
    QVariant cell(const HistoryRow& row, int column, int role) const override;
};

/// The mark of a gate's outcome: "pass", "fail", "waived", "stale".
Mark parseMark(const std::string& word);
/// Marks of G1 up to the last of G1 to G5 that has an outcome; one between them without an outcome has Mark::none.
std::vector<Mark> gateMarks(const HistoryRow& row);
/// "–" for a missing value; "~" before a planned or derived one.
QString figureText(const std::vector<Figure>& figures, std::string (*format)(double));
/// The origin of each value, one line each.
QString figureTip(const std::vector<Figure>& figures, std::string (*format)(double));
/// Cost of a row, GPU plus assistant; unset when neither is recorded.
std::optional<double> sumCost(const HistoryRow& row);
/// Total mistakes of a row; unset if its events are unknown.
std::optional<int> sumMistakes(const HistoryRow& row);

} // namespace kl::ui
