// SPDX-License-Identifier: MIT
#include "tests/ui/support/clipped_texts.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyleOptionComboBox>
#include <QStyleOptionFrame>
#include <QTabBar>

namespace kl::ui {
namespace {

constexpr int kRounding = 2; ///< px that scaled metrics may be off

bool toldByTip(const QWidget& widget, const QString& text)
{
    return widget.toolTip().contains(text.trimmed());
}

QString clippedLine(const QWidget& widget, const QString& text, const QString& why)
{
    return QStringLiteral("%1 %2 \"%3\": %4")
        .arg(QString::fromLatin1(widget.metaObject()->className()), widget.objectName(), text.left(60).simplified(), why);
}

QString clippedLabel(const QLabel& label)
{
    if (label.text().isEmpty() || toldByTip(label, label.text()))
        return {};
    if (!label.wordWrap()) {
        const QSize needed = label.sizeHint();
        return needed.width() > label.width() + kRounding || needed.height() > label.height() + kRounding
                   ? QStringLiteral("needs %1 x %2, has %3 x %4")
                         .arg(needed.width())
                         .arg(needed.height())
                         .arg(label.width())
                         .arg(label.height())
                   : QString();
    }
    if (const int needed = label.heightForWidth(label.width()); needed > label.height() + kRounding)
        return QStringLiteral("needs a height of %1 at a width of %2, has %3").arg(needed).arg(label.width()).arg(label.height());
    static const QRegularExpression gaps(QStringLiteral("[\\s\\x{200b}-]+"));
    if (Qt::mightBeRichText(label.text()))
        return {};
    for (const QString& word : label.text().split(gaps, Qt::SkipEmptyParts))
        if (const int needed = label.fontMetrics().horizontalAdvance(word); needed > label.contentsRect().width() + kRounding)
            return QStringLiteral("the word %1 needs %2, has %3").arg(word).arg(needed).arg(label.contentsRect().width());
    return {};
}

QString clippedButton(const QAbstractButton& button)
{
    if (button.text().isEmpty() || toldByTip(button, button.text()))
        return {};
    const int needed = button.sizeHint().width();
    return needed > button.width() + kRounding ? QStringLiteral("needs %1, has %2").arg(needed).arg(button.width()) : QString();
}

QString clippedBox(const QComboBox& box)
{
    if (box.isEditable() || box.currentText().isEmpty() || toldByTip(box, box.currentText()))
        return {};
    QStyleOptionComboBox option;
    option.initFrom(&box);
    const int room = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box).width();
    const int needed = box.fontMetrics().horizontalAdvance(box.currentText());
    return needed > room + kRounding ? QStringLiteral("needs %1, has %2").arg(needed).arg(room) : QString();
}

QString clippedField(const QLineEdit& field)
{
    const QString text = field.text().isEmpty() ? field.placeholderText() : QString();
    if (text.isEmpty() || toldByTip(field, text))
        return {};
    QStyleOptionFrame option;
    option.initFrom(&field);
    const int room = field.style()->subElementRect(QStyle::SE_LineEditContents, &option, &field).width();
    const int needed = field.fontMetrics().horizontalAdvance(text);
    return needed > room + kRounding ? QStringLiteral("needs %1, has %2").arg(needed).arg(room) : QString();
}

QString clippedHeader(const QHeaderView& header)
{
    if (header.orientation() != Qt::Horizontal || !header.model())
        return {};
    for (int section = 0; section < header.count(); ++section) {
        const QString text = header.model()->headerData(section, Qt::Horizontal).toString();
        const QString tip = header.model()->headerData(section, Qt::Horizontal, Qt::ToolTipRole).toString();
        if (header.isSectionHidden(section) || text.isEmpty() || tip.contains(text))
            continue;
        if (const int needed = header.fontMetrics().horizontalAdvance(text); needed > header.sectionSize(section) + kRounding)
            return QStringLiteral("column \"%1\" needs %2, has %3").arg(text).arg(needed).arg(header.sectionSize(section));
    }
    return {};
}

QString clippedTabs(const QTabBar& tabs)
{
    for (int i = 0; i < tabs.count(); ++i) {
        if (!tabs.isTabVisible(i))
            continue;
        if (const int needed = tabs.fontMetrics().horizontalAdvance(tabs.tabText(i)); needed > tabs.tabRect(i).width() + kRounding)
            return QStringLiteral("tab \"%1\" needs %2, has %3").arg(tabs.tabText(i)).arg(needed).arg(tabs.tabRect(i).width());
    }
    return {};
}

QString whyClipped(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return clippedLabel(*label);
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return clippedButton(*button);
    if (const auto* box = qobject_cast<const QComboBox*>(&widget))
        return clippedBox(*box);
    if (const auto* field = qobject_cast<const QLineEdit*>(&widget))
        return clippedField(*field);
    if (const auto* header = qobject_cast<const QHeaderView*>(&widget))
        return clippedHeader(*header);
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
        return clippedTabs(*tabs);
    if (const auto* area = qobject_cast<const QScrollArea*>(&widget); area && area->horizontalScrollBar()->maximum() > 0)
        return QStringLiteral("scrolls sideways by %1").arg(area->horizontalScrollBar()->maximum());
    return {};
}

QString readText(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->text();
    if (const auto* box = qobject_cast<const QComboBox*>(&widget))
        return box->currentText();
    return widget.accessibleName();
}

/// Shows a text or takes one, and has no parts that do.
bool isLeaf(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return !label->text().isEmpty();
    return qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
           qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget);
}

bool isInsideAField(const QWidget& widget)
{
    const QWidget* parent = widget.parentWidget();
    return qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QComboBox*>(parent) ||
           qobject_cast<const QLineEdit*>(parent) || qobject_cast<const QTabBar*>(parent);
}

} // namespace

QStringList findClipped(const QWidget& root)
{
    QStringList found;
    QHash<const QWidget*, QList<const QWidget*>> leaves; // by parent
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != root.window() || isInsideAField(*widget))
            continue;
        if (const QString why = whyClipped(*widget); !why.isEmpty())
            found << clippedLine(*widget, readText(*widget), why);
        if (!isLeaf(*widget))
            continue;
        const QWidget* parent = widget->parentWidget();
        const QRect room = parent->rect().adjusted(-kRounding, -kRounding, kRounding, kRounding);
        if (!room.contains(widget->geometry()))
            found << clippedLine(
                *widget, readText(*widget),
                QStringLiteral("lies outside of its parent, %1").arg(QString::fromLatin1(parent->metaObject()->className())));
        for (const QWidget* other : leaves[parent])
            if (const QRect both = other->geometry() & widget->geometry(); both.width() > kRounding && both.height() > kRounding)
                found << clippedLine(*widget, readText(*widget), QStringLiteral("overlaps \"%1\"").arg(readText(*other).left(40)));
        leaves[parent] << widget;
    }
    return found;
}

} // namespace kl::ui
