// SPDX-License-Identifier: MIT
#include "tests/ui/support/page_texts.h"

#include "ui/charts/chart_body.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTabBar>
#include <QTableView>
#include <QTextDocumentFragment>
#include <QTreeView>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kMostRows = 3;

QStringList readRow(const QAbstractItemModel& model, int row, const QModelIndex& parent)
{
    QStringList cells;
    for (int column = 0; column < model.columnCount(parent); ++column)
        cells << model.index(row, column, parent).data().toString();
    return cells;
}

QStringList readTable(const QAbstractItemModel& model)
{
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
        cells << model.headerData(column, Qt::Horizontal).toString();
    QStringList lines{cells.join(QStringLiteral(" | "))};
    for (int row = 0; row < std::min(kMostRows, model.rowCount()); ++row) {
        lines << readRow(model, row, {}).join(QStringLiteral(" | "));
        const QModelIndex parent = model.index(row, 0);
        for (int child = 0; child < std::min(kMostRows, model.rowCount(parent)); ++child)
            lines << QStringLiteral("  ") + readRow(model, child, parent).join(QStringLiteral(" | "));
    }
    return lines;
}

QStringList readTabs(const QTabBar& tabs)
{
    QStringList titles;
    for (int i = 0; i < tabs.count(); ++i)
        titles << tabs.tabText(i);
    return {titles.join(QStringLiteral(" | "))};
}

QString readLabel(const QLabel& label)
{
    const bool rich = label.textFormat() == Qt::RichText || (label.textFormat() == Qt::AutoText && Qt::mightBeRichText(label.text()));
    return rich ? QTextDocumentFragment::fromHtml(label.text()).toPlainText() : label.text();
}

QStringList readChart(const ChartBody& chart)
{
    QStringList lines{QStringLiteral("[chart] ") + chart.accessibleName()};
    if (const QString reason = chart.emptyReason(); !reason.isEmpty())
        return lines << reason;
    lines << chart.table().header.join(QStringLiteral(" | "));
    for (const LegendItem& item : chart.legend())
        lines << QStringLiteral("- ") + item.name;
    return lines;
}

/// The texts of a widget itself. `whole`: its children have no texts of their own.
QStringList readWidget(const QWidget& widget, bool& whole)
{
    whole = true;
    if (const auto* chart = qobject_cast<const ChartBody*>(&widget))
        return readChart(*chart);
    if (const auto* view = qobject_cast<const QTableView*>(&widget))
        return view->model() ? readTable(*view->model()) : QStringList{};
    if (const auto* view = qobject_cast<const QTreeView*>(&widget))
        return view->model() ? readTable(*view->model()) : QStringList{};
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
        return readTabs(*tabs);
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return {readLabel(*label)};
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return {QStringLiteral("[%1]").arg(button->text().isEmpty() ? button->accessibleName() : button->text())};
    if (const auto* box = qobject_cast<const QComboBox*>(&widget))
        return {QStringLiteral("[%1 ▾]").arg(box->currentText().isEmpty() ? box->placeholderText() : box->currentText())};
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
        return {QStringLiteral("[%1_]").arg(line->text().isEmpty() ? line->placeholderText() : line->text())};
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(&widget))
        return text->isReadOnly() ? QStringList{} : QStringList{QStringLiteral("[%1_]").arg(text->placeholderText())};
    whole = false;
    return {};
}

void collect(const QWidget& widget, QStringList& lines)
{
    bool whole = false;
    lines << readWidget(widget, whole);
    if (whole)
        return;
    std::vector<const QWidget*> children;
    for (const QObject* child : widget.children())
        if (const auto* part = qobject_cast<const QWidget*>(child); part && part->isVisible() && !part->isWindow())
            children.push_back(part);
    std::ranges::stable_sort(children, {}, [](const QWidget* part) { return std::pair(part->y(), part->x()); });
    for (const QWidget* part : children)
        collect(*part, lines);
}

} // namespace

QString withoutTimes(QString text)
{
    text.remove(QChar(0x200b));
    return text.replace(
        QRegularExpression(QStringLiteral("\\d+[\\s\\x{202f}]*(s|min|h|d|days?|weeks?|months?|years?) ago|just now|yesterday"
                                          "|(?<=· )\\d{4}-\\d\\d-\\d\\d(?=\\n|$)")), // as a day, once it is long ago
        QStringLiteral("TIME ago"));
}

QString collectTexts(const QWidget& root)
{
    QCoreApplication::processEvents(); // what was added to a layout just now becomes visible
    QStringList lines;
    collect(root, lines);
    lines.removeAll(QString());
    return withoutTimes(lines.join(u'\n')) + u'\n';
}

} // namespace kl::ui
