// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/patterns/totals.h"
#include "ui/models/record_model.h"

namespace kl::ui {

/// A pattern with its use and savings in this database.
struct PatternRow {
    Pattern pattern;
    PatternReturn gained;
};

/// The pattern library as a table.
class PatternTableModel : public RecordModel<PatternRow> {
public:
    enum Column { Label, Title, Kind, Quoted, Measured, Uses, Return, ColumnCount };
    using RecordModel::RecordModel;

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int column) const override { return column >= Quoted; }
    QVariant cell(const PatternRow& row, int column, int role) const override;
};

/// "60 min", "120 to 240 min", "$0.50", or a dash: the claimed saving per use.
QString formatQuoted(const Pattern& pattern);
/// An occasion (Pattern::when) in words: "When the speedup is below 1×".
QString occasionText(const std::string& when);
/// Minutes saved over minutes invested, measured and quoted separately, or why it is unknown.
QString returnText(const PatternReturn& gained);

} // namespace kl::ui
