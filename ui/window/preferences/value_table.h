// SPDX-License-Identifier: MIT
#pragma once

#include <QTableWidget>

#include <map>
#include <string>
#include <vector>

namespace kl::ui {

inline constexpr int kEffectAfterMs = 300; ///< after the last change: when a form shows what it would do
inline constexpr int kEffectHeight = 96;   ///< px, of the list of what would change

/// A figure to set, in a row of words.
struct ValueRow {
    std::string key;
    QStringList words; ///< one per column of words
    QString tip;
    double value = 0;
    double usual = 0; ///< its default
};

/// Words, a figure that can be edited, and its default. Anything but a number is refused.
class ValueTable : public QTableWidget {
    Q_OBJECT
public:
    /// `columns`: of words; those of figure and default are added.
    ValueTable(const QStringList& columns, const QString& name, QWidget* parent);

    void setRows(std::vector<ValueRow> rows);
    /// Figures that differ from what setRows() gave, by key.
    std::map<std::string, double> collectChanged() const;
    /// Those that differ from their defaults.
    std::map<std::string, double> unusual() const;
    void setToDefaults();
    /// Shows the rows in which every word occurs.
    void filter(const QString& words);

signals:
    void edited();

private:
    int valueColumn() const { return columnCount() - 2; }
    void take(QTableWidgetItem* item);
    void showValue(int row);

    std::vector<ValueRow> rows_;
    std::vector<double> values_; ///< as edited, by row
    bool filling_ = false;
};

} // namespace kl::ui
