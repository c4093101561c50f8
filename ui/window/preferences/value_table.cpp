// SPDX-License-Identifier: MIT
#include "ui/window/preferences/value_table.h"

#include "ui/widgets/decimal_mark.h"

#include <QHeaderView>
#include <QScopedValueRollback>

#include <algorithm>

namespace kl::ui {

ValueTable::ValueTable(const QStringList& columns, const QString& name, QWidget* parent) : QTableWidget(parent)
{
    setColumnCount(static_cast<int>(columns.size()) + 2);
    setHorizontalHeaderLabels(columns + QStringList{tr("Value"), tr("Default")});
    setAccessibleName(name);
    setTabKeyNavigation(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::AllEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    verticalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int column = 1; column < columnCount(); ++column)
        horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    connect(this, &QTableWidget::itemChanged, this, &ValueTable::take);
}

void ValueTable::setRows(std::vector<ValueRow> rows)
{
    const QScopedValueRollback filling(filling_, true);
    rows_ = std::move(rows);
    values_.clear();
    setRowCount(static_cast<int>(rows_.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const ValueRow& of = rows_[static_cast<std::size_t>(row)];
        values_.push_back(of.value);
        for (int column = 0; column < columnCount(); ++column) {
            auto* item = new QTableWidgetItem(of.words.value(column));
            item->setToolTip(column == 0 && of.tip.isEmpty() ? of.words.value(0) : of.tip);
            if (column != valueColumn())
                item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            setItem(row, column, item);
        }
        item(row, columnCount() - 1)->setText(figureWithMark(QString::number(of.usual)));
        for (const int column : {valueColumn(), columnCount() - 1})
            item(row, column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        showValue(row);
    }
}

void ValueTable::showValue(int row)
{
    const auto place = static_cast<std::size_t>(row);
    QTableWidgetItem* shown = item(row, valueColumn());
    shown->setText(figureWithMark(QString::number(values_[place])));
    QFont font = this->font();
    font.setBold(values_[place] != rows_[place].usual); // what is not usual stands out
    shown->setFont(font);
}

void ValueTable::take(QTableWidgetItem* changed)
{
    if (filling_ || changed->column() != valueColumn())
        return;
    const QScopedValueRollback filling(filling_, true);
    bool number = false;
    const double value = changed->text().trimmed().replace(decimalMark(), u'.').toDouble(&number);
    double& held = values_[static_cast<std::size_t>(changed->row())];
    const bool isNew = number && value != held;
    if (number)
        held = value;
    showValue(changed->row());
    if (isNew)
        emit edited();
}

std::map<std::string, double> ValueTable::collectChanged() const
{
    std::map<std::string, double> found;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (values_[i] != rows_[i].value)
            found[rows_[i].key] = values_[i];
    return found;
}

std::map<std::string, double> ValueTable::unusual() const
{
    std::map<std::string, double> found;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (values_[i] != rows_[i].usual)
            found[rows_[i].key] = values_[i];
    return found;
}

void ValueTable::setToDefaults()
{
    {
        const QScopedValueRollback filling(filling_, true);
        for (int row = 0; row < rowCount(); ++row) {
            values_[static_cast<std::size_t>(row)] = rows_[static_cast<std::size_t>(row)].usual;
            showValue(row);
        }
    }
    emit edited();
}

void ValueTable::filter(const QString& words)
{
    const QStringList wanted = words.split(u' ', Qt::SkipEmptyParts);
    for (int row = 0; row < rowCount(); ++row) {
        const QString text = rows_[static_cast<std::size_t>(row)].words.join(u' ');
        setRowHidden(row, !std::ranges::all_of(wanted, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); }));
    }
}

} // namespace kl::ui
