// SPDX-License-Identifier: MIT
// What a screen reader and the keyboard get, on every page and in every dialog.
#include "tests/ui/support/every_surface.h"
#include "ui/charts/chart_body.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPointer>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QTextEdit>

#include <set>

namespace kl::ui {
namespace {

/// A part of another control, which has the name.
bool isPart(const QWidget& widget)
{
    for (const QWidget* parent = widget.parentWidget(); parent; parent = parent->parentWidget()) {
        if (qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QComboBox*>(parent) ||
            qobject_cast<const QLineEdit*>(parent) || qobject_cast<const QTabBar*>(parent) || qobject_cast<const QMenuBar*>(parent) ||
            qobject_cast<const ChartBody*>(parent) || qobject_cast<const QHeaderView*>(parent))
            return true;
        if (parent->isWindow())
            return false;
    }
    return false;
}

/// Something that the user operates or reads as one thing.
bool isControl(const QWidget& widget)
{
    if (!widget.isVisible() || isPart(widget) || widget.objectName().startsWith(QStringLiteral("qt_")))
        return false;
    if (qobject_cast<const ChartBody*>(&widget) || qobject_cast<const QAbstractButton*>(&widget))
        return true;
    if (qobject_cast<const QLabel*>(&widget) || qobject_cast<const QScrollBar*>(&widget) || qobject_cast<const QHeaderView*>(&widget) ||
        qobject_cast<const QScrollArea*>(&widget) || qobject_cast<const QStackedWidget*>(&widget) ||
        qobject_cast<const QTabWidget*>(&widget) || qobject_cast<const QTabBar*>(&widget) || qobject_cast<const QMenuBar*>(&widget))
        return false;
    return widget.focusPolicy() != Qt::NoFocus && !widget.focusProxy();
}

/// As assistive technologies get it: the interface's own name, or the text of the label that it refers to.
QString readName(QWidget& widget)
{
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(&widget);
    if (!interface)
        return {};
    for (const auto& [other, relation] : interface->relations(QAccessible::Label))
        if (other && !other->text(QAccessible::Name).isEmpty())
            return other->text(QAccessible::Name);
    // Qt names a box by its value where a label may exist.
    return qobject_cast<QComboBox*>(&widget) ? widget.accessibleName() : interface->text(QAccessible::Name);
}

QString formatPath(const QWidget& widget)
{
    QStringList path;
    for (const QWidget* part = &widget; part && path.size() < 4; part = part->parentWidget())
        path.prepend(QString::fromLatin1(part->metaObject()->className()) +
                     (part->objectName().isEmpty() ? QString() : u'#' + part->objectName()));
    return path.join(QStringLiteral(" > "));
}

class Accessible : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->resize(1600, 1000);
        window->show();
        window->activateWindow();
        ASSERT_TRUE(waitForJobs());
    }
    static void expectNames(const QString& where, QWidget& shown)
    {
        QMap<QString, QString> wordless; // buttons with an icon alone, by name
        for (QWidget* widget : shown.findChildren<QWidget*>()) {
            if (!isControl(*widget) || widget->window() != shown.window())
                continue;
            const QString name = readName(*widget);
            EXPECT_FALSE(name.trimmed().isEmpty()) << where.toStdString() << ": no name: " << formatPath(*widget).toStdString();
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            if (!button || !button->text().isEmpty())
                continue;
            EXPECT_FALSE(wordless.contains(name))
                << where.toStdString() << ": two buttons named " << name.toStdString() << ": " << formatPath(*widget).toStdString();
            wordless[name] = formatPath(*widget);
        }
        for (const QTabBar* tabs : shown.findChildren<QTabBar*>())
            for (int i = 0; tabs->isVisible() && i < tabs->count(); ++i)
                EXPECT_FALSE(tabs->tabText(i).isEmpty()) << where.toStdString();
    }
    /// What takes part in the tab order now; what the user operates has to.
    static std::set<const QWidget*> tabControls(const QString& where, const QWidget& shown)
    {
        std::set<const QWidget*> controls;
        for (const QWidget* widget : shown.findChildren<QWidget*>()) {
            if (!isControl(*widget) || !widget->isEnabled() || widget->window() != shown.window())
                continue;
            const bool operated = qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
                                  qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
                                  qobject_cast<const QAbstractItemView*>(widget) || qobject_cast<const QPlainTextEdit*>(widget);
            EXPECT_TRUE(!operated || (widget->focusPolicy() & Qt::TabFocus))
                << where.toStdString() << ": not in the tab order: " << formatPath(*widget).toStdString();
            if (widget->focusPolicy() & Qt::TabFocus)
                controls.insert(widget);
        }
        return controls;
    }
    /// Presses Tab until it is back where it began for the second time; everything that is there in the end must have had the focus. A
    /// table that gets the focus selects a row, which shows other controls, also before it.
    static void expectTabReaches(const QString& where, QWidget& shown)
    {
        shown.window()->activateWindow();
        const std::set<const QWidget*> first = tabControls(where, shown);
        if (first.empty())
            return;
        const QPointer<QWidget> start = const_cast<QWidget*>(*first.begin());
        start->setFocus(Qt::TabFocusReason);
        std::set<const QWidget*> reached;
        constexpr int kMostKeys = 1600;
        int rounds = 0;
        for (int key = 0; key < kMostKeys && QApplication::focusWidget(); ++key) {
            QWidget* now = QApplication::focusWidget();
            if (!reached.insert(now).second && now == start && ++rounds == 2)
                break;
            QTest::keyClick(now, Qt::Key_Tab);
        }
        const QString last = QApplication::focusWidget() ? formatPath(*QApplication::focusWidget()) : QStringLiteral("nowhere");
        for (const QWidget* widget : tabControls(where, shown))
            EXPECT_TRUE(reached.contains(widget)) << where.toStdString() << ": Tab does not reach " << formatPath(*widget).toStdString()
                                                  << ", it ends at " << last.toStdString();
    }
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

TEST_F(Accessible, EveryControlAndChartOfThePagesHasAName)
{
    visitPages(*context, *window, [&](const QString& name, QWidget&) { expectNames(name, *window); });
}

TEST_F(Accessible, EveryControlOfTheDialogsHasAName)
{
    visitDialogs(*context, *window, expectNames);
}

TEST_F(Accessible, TabReachesEveryControlOfThePages)
{
    visitPages(*context, *window, [&](const QString& name, QWidget& page) { expectTabReaches(name, page); });
}

TEST_F(Accessible, TabReachesEveryControlOfTheDialogs)
{
    visitDialogs(*context, *window, [&](const QString& name, QWidget& shown) {
        if (shown.isWindow() && !name.contains(QStringLiteral("picker")))
            expectTabReaches(name, shown);
    });
}

} // namespace
} // namespace kl::ui
