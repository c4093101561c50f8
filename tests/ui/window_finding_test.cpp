// SPDX-License-Identifier: MIT
// Finding one's way without the window: what is found, in a list and on a page, the trail of pages, the menu of places, the title.
#include "sessions/hosts/host_list.h"
#include "tests/support/set_variable.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "ui/context/app_context.h"
#include "ui/context/remembered.h"
#include "ui/widgets/text.h"
#include "ui/window/find_bar.h"
#include "ui/window/finder.h"
#include "ui/window/page_trail.h"
#include "ui/window/place_menu.h"
#include "ui/window/title_line.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

TEST(FindEntries, HaveEveryWordAndTheirBeginningFirst)
{
    const std::vector<FinderEntry> entries{{"Open report", "action", {}, {}, "import ncu-rep"},
                                           {"transpose/tiled", "kernel", "kernels", "transpose/tiled"},
                                           {"A report of tiles", "session", "session", "id"},
                                           {"Tiled things", "pattern", "patterns", "slug"}};
    using Found = std::vector<std::size_t>;
    EXPECT_EQ(findEntries(entries, ""), (Found{0, 1, 2, 3}));
    EXPECT_EQ(findEntries(entries, "TILE"), (Found{3, 1, 2})) << "what begins so comes first, in any case";
    EXPECT_EQ(findEntries(entries, "report tile"), Found{2}) << "every word";
    EXPECT_EQ(findEntries(entries, "tile report"), Found{2}) << "in any order";
    EXPECT_EQ(findEntries(entries, "kern"), Found{1}) << "by its kind";
    EXPECT_EQ(findEntries(entries, "ernel"), Found{}) << "from the begin of a kind";
    EXPECT_EQ(findEntries(entries, "ncu"), Found{0}) << "by words that are not shown";
    EXPECT_EQ(findEntries(entries, " tiled "), (Found{3, 1})) << "around it nothing counts";
    EXPECT_EQ(findEntries(entries, "zzz"), Found{});
    EXPECT_EQ(findEntries(entries, "", 2), (Found{0, 1}));
    EXPECT_EQ(findEntries(entries, "tile", 1), Found{3});
}

TEST(FindEntries, OfADatabaseLeadToTheirPage)
{
    auto context = AppContext::open(":memory:", DeviceSpec::sample());
    ASSERT_TRUE(context);
    NewSession request;
    request.name = "N+6";
    request.objective = "Coalesce";
    request.kernel = "transpose";
    const auto session = (*context)->engine()->sessions.create(request);
    ASSERT_TRUE(session);
    Store& store = *(*context)->engine()->store;
    ASSERT_TRUE(store.saveRun(support::profiledRun("profile", "naive", "2026-03-01T09:00:00.000Z", 400)));
    ASSERT_TRUE(store.saveRun(support::timedRun("timed", "tiled", "2026-03-01T09:00:00.000Z", 400)));
    const auto entries = finderEntries(*(*context)->engine());
    ASSERT_TRUE(entries);
    const auto led = [&](const QString& words) {
        QStringList ways;
        for (const FinderEntry& entry : *entries)
            if (entry.words.startsWith(words))
                ways << entry.page + ' ' + entry.argument;
        return ways.join('|');
    };
    EXPECT_EQ(led(q("N+6 · Coalesce")), "session " + q(session->header.id.text));
    EXPECT_EQ(led("transpose/naive"), "kernels transpose/naive|diagnose profile") << "the kernel, and its profile";
    EXPECT_EQ(led("transpose/tiled"), "kernels transpose/tiled") << "a run that was only timed is not diagnosed";
    const std::vector<Pattern> patterns = *store.patterns();
    EXPECT_TRUE(led(q(patterns[0].title)).contains("patterns " + q(patterns[0].slug)));
    EXPECT_TRUE(std::ranges::any_of(*entries, [](const FinderEntry& entry) {
        return entry.page == "diagnose" && entry.argument == "metric:gpu__time_duration.sum" && !entry.more.isEmpty();
    }));
}

class Finders : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(":memory:", DeviceSpec::sample());
        ASSERT_TRUE(opened);
        context = std::move(*opened);
        auto* column = new QVBoxLayout(&window);
        column->addWidget(field = new QLineEdit(&window));
        QObject::connect(&possible, &QAction::triggered, &window, [this] { ++triggered; });
        QObject::connect(&impossible, &QAction::triggered, &window, [this] { triggered += 100; });
        impossible.setEnabled(false);
        impossible.setToolTip("no GPU");
        possible.setShortcut(QKeySequence("Ctrl+Y"));
        finder = new Finder(
            *context,
            {{"Home", "page", "home", "there"}, {{}, "action", {}, {}, "hidden", &possible}, {{}, "setting", {}, {}, {}, &impossible}},
            &window);
        window.resize(800, 600);
        window.show();
        window.activateWindow();
        field->setFocus();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
        list = window.findChild<QTreeWidget*>("finderList");
        text = window.findChild<QLineEdit*>("finderText");
    }
    void open()
    {
        finder->open();
        ASSERT_TRUE(waitForJobs());
    }
    std::unique_ptr<AppContext> context;
    QWidget window;
    QLineEdit* field = nullptr;
    QAction possible{"&Do it"}, impossible{"&Refuse it"};
    Finder* finder = nullptr;
    QTreeWidget* list = nullptr;
    QLineEdit* text = nullptr;
    int triggered = 0;
};

TEST_F(Finders, ListWhatIsPossibleAndTakeTheChosenOne)
{
    QSignalSpy requested(context.get(), &AppContext::navigationRequested);
    open();
    ASSERT_GT(list->topLevelItemCount(), 3);
    EXPECT_EQ(list->topLevelItem(0)->text(0), "Home");
    EXPECT_EQ(list->topLevelItem(0)->text(1), "page");
    EXPECT_EQ(list->topLevelItem(1)->text(0), "Do it");
    EXPECT_EQ(list->topLevelItem(1)->text(1), possible.shortcut().toString(QKeySequence::NativeText)) << "the keys for the next time";
    EXPECT_EQ(list->topLevelItem(2)->text(0), q("Refuse it – no GPU"));
    EXPECT_EQ(list->topLevelItem(2)->text(1), "setting");
    EXPECT_EQ(list->currentItem(), list->topLevelItem(0));
    QTest::keyClick(text, Qt::Key_Down);
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_EQ(triggered, 1);
    EXPECT_FALSE(finder->isVisible());
    EXPECT_EQ(requested.count(), 0);
    open();
    EXPECT_TRUE(text->text().isEmpty());
    QTest::keyClicks(text, "hom");
    QTest::keyClick(text, Qt::Key_Return);
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "home");
    EXPECT_EQ(requested[0][1].toString(), "there");
    open();
    EXPECT_TRUE(text->text().isEmpty()) << "of the last time";
    QTest::keyClicks(text, "transpose/tiled");
    emit list->itemClicked(list->topLevelItem(0), 0);
    ASSERT_EQ(requested.count(), 2);
    EXPECT_EQ(requested[1][0].toString(), "kernels");
    EXPECT_EQ(requested[1][1].toString(), "transpose/tiled");
    EXPECT_EQ(triggered, 1);
}

TEST_F(Finders, NothingFoundIsSaidAndEscapeGivesTheFocusBack)
{
    open();
    const auto says = [&] {
        for (const QLabel* label : finder->findChildren<QLabel*>())
            if (label->text() == "No matches.")
                return label->isVisible();
        return false;
    };
    EXPECT_FALSE(says());
    QTest::keyClicks(text, "zzzz");
    EXPECT_TRUE(says());
    EXPECT_EQ(list->topLevelItemCount(), 0);
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_TRUE(finder->isVisible()) << "there is nothing to take";
    text->setText("hom");
    EXPECT_FALSE(says());
    QTest::keyClick(text, Qt::Key_Tab);
    EXPECT_TRUE(text->hasFocus()) << "there is no other field";
    QTest::keyClick(text, Qt::Key_Escape);
    EXPECT_FALSE(finder->isVisible());
    EXPECT_TRUE(field->hasFocus());
    possible.setText("&Do that");
    open();
    EXPECT_EQ(list->topLevelItem(1)->text(0), "Do that") << "as the action is called now";
    window.resize(700, 500);
    QCoreApplication::processEvents();
    EXPECT_EQ(finder->geometry().center().x(), window.rect().center().x());
}

class FindBars : public testing::Test {
protected:
    void SetUp() override
    {
        window.resize(600, 600);
        page = new QWidget(&window);
        page->resize(600, 600);
        auto* column = new QVBoxLayout(page);
        auto* plain = new QLabel("a needle here", page);
        plain->setObjectName("plain");
        auto* rich = new QLabel("<b>nee</b>dle", page);
        rich->setObjectName("rich");
        rich->setTextFormat(Qt::RichText);
        auto* tag = new QLabel("x <needle> y", page);
        tag->setTextFormat(Qt::PlainText);
        tag->setObjectName("tag");
        hidden = new QLabel("needle", page);
        auto* button = new QPushButton("Needle", page);
        button->setObjectName("button");
        auto* table = new QTableWidget(2, 2, page);
        table->setItem(1, 1, new QTableWidgetItem("the needle"));
        table->setObjectName("table");
        edit = new QPlainTextEdit("needle\nno\nneedleneedle", page);
        edit->setObjectName("edit");
        for (QWidget* widget : std::initializer_list<QWidget*>{plain, rich, tag, hidden, button, table, edit})
            column->addWidget(widget);
        bar = new FindBar(&window);
        window.show();
        hidden->hide();
        QCoreApplication::processEvents();
        text = window.findChild<QLineEdit*>("findInPage");
    }
    QString counted() const
    {
        const QList<QLabel*> labels = bar->findChildren<QLabel*>();
        EXPECT_EQ(labels.size(), 1);
        return labels.isEmpty() ? QString() : labels.front()->text();
    }
    /// The widget in which the mark is.
    QString marked() const
    {
        const auto* mark = page->findChild<QFrame*>("foundMark");
        return !mark                                                  ? QString()
               : mark->parentWidget()->objectName().startsWith("qt_") ? mark->parentWidget()->parentWidget()->objectName()
                                                                      : mark->parentWidget()->objectName();
    }
    QWidget window;
    QWidget* page = nullptr;
    QLabel* hidden = nullptr;
    QPlainTextEdit* edit = nullptr;
    FindBar* bar = nullptr;
    QLineEdit* text = nullptr;
};

TEST_F(FindBars, EachPlaceIsMarkedInTheOrderOfThePage)
{
    bar->open(page);
    EXPECT_EQ(bar->hits(), 0);
    text->setText("NEEDLE");
    ASSERT_EQ(bar->hits(), 8) << "three labels, a button, a cell, three in the text; none that is hidden";
    QStringList order;
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(bar->current(), i);
        EXPECT_EQ(counted(), QStringLiteral("%1 of 8").arg(i + 1));
        order << marked();
        bar->step(1);
    }
    EXPECT_EQ(order, (QStringList{"plain", "rich", "tag", "button", "table", "edit", "edit", "edit"}));
    EXPECT_EQ(bar->current(), 0) << "behind the last comes the first";
    bar->step(-1);
    EXPECT_EQ(bar->current(), 7);
    EXPECT_EQ(edit->textCursor().selectedText(), "needle");
    EXPECT_EQ(edit->textCursor().selectionStart(), 16);
    EXPECT_EQ(page->findChildren<QFrame*>("foundMark").size(), 1) << "one mark";
    text->setText("here");
    EXPECT_EQ(bar->hits(), 1);
    EXPECT_EQ(bar->current(), 0);
    EXPECT_EQ(marked(), "plain");
    text->setText("b>");
    EXPECT_EQ(bar->hits(), 0) << "markup is not text";
    EXPECT_FALSE(counted().isEmpty() || counted().contains(QRegularExpression("[0-9]"))) << counted().toStdString();
    EXPECT_EQ(marked(), "");
    text->setText("");
    EXPECT_EQ(counted(), "");
}

TEST_F(FindBars, SnapshotOfWhatWasFound)
{
    bar->open(page);
    QString said;
    for (const char* words : {"needle", "b>"}) {
        text->setText(QString::fromLatin1(words));
        said += QString::fromLatin1(words) + " | " + counted() + u'\n';
    }
    test::expectSnapshot("ui/find-bar.txt", utf8(said));
}

TEST_F(FindBars, WhatIsGoneIsNoPlaceAndClosingForgets)
{
    bar->open(page);
    text->setText("needle");
    delete page->findChild<QLabel*>("plain");
    bar->step(1);
    EXPECT_EQ(bar->hits(), 7);
    bar->close();
    EXPECT_FALSE(bar->isVisible());
    EXPECT_EQ(bar->hits(), 0);
    EXPECT_EQ(marked(), "");
    bar->step(1);
    EXPECT_EQ(bar->hits(), 0);
    hidden->show();
    bar->open(page);
    EXPECT_EQ(text->text(), "needle");
    EXPECT_EQ(bar->hits(), 8) << "looked for again";
    const auto arrows = bar->findChildren<QToolButton*>();
    ASSERT_EQ(arrows.size(), 3);
    arrows[1]->click();
    EXPECT_EQ(bar->current(), 1) << "next";
    arrows[0]->click();
    EXPECT_EQ(bar->current(), 0) << "previous";
    arrows[2]->click();
    EXPECT_FALSE(bar->isVisible());
}

TEST(PageTrails, GoBackAndForwardOverPlaces)
{
    PageTrail trail;
    EXPECT_FALSE(trail.back());
    EXPECT_FALSE(trail.forward());
    for (const char* page : {"a", "b", "c"})
        trail.visit({QString::fromLatin1(page), "x"});
    EXPECT_EQ(trail.back(), (PagePlace{"b", "x"}));
    trail.visit({"b", "x"});
    EXPECT_TRUE(trail.hasForward()) << "the same place again";
    EXPECT_EQ(trail.back(), (PagePlace{"a", "x"}));
    EXPECT_FALSE(trail.hasBack());
    EXPECT_FALSE(trail.back());
    EXPECT_EQ(trail.forward(), (PagePlace{"b", "x"}));
    trail.visit({"b", "y"});
    EXPECT_FALSE(trail.hasForward()) << "another place of the same page";
    EXPECT_EQ(trail.back(), (PagePlace{"b", "x"}));
    trail.clear();
    EXPECT_FALSE(trail.hasBack());
    EXPECT_FALSE(trail.hasForward());
    for (int i = 0; i < 150; ++i)
        trail.visit({QString::number(i), {}});
    int steps = 0;
    std::optional<PagePlace> last;
    while (const auto place = trail.back()) {
        last = place;
        ++steps;
    }
    EXPECT_EQ(steps, 99);
    EXPECT_EQ(last->page, "50") << "the oldest ones are dropped";
}

TEST(PlaceMenus, ListDevicesAndDatabasesWithThePresentOnesChecked)
{
    const support::TempDir folder;
    const support::SetVariable config("XDG_CONFIG_HOME", folder.path().c_str());
    QSettings().remove("window");
    const QString here = q((folder / "here.db").string()), other = q((folder / "other.db").string());
    ASSERT_TRUE(Store::open(utf8(other)));
    rememberPlace(other, "sample");
    rememberPlace(q((folder / "gone.db").string()), "sample");
    ASSERT_TRUE(HostList().change("gpu7", [](KnownHost&) {}));
    auto opened = AppContext::open(utf8(here), DeviceSpec::sample());
    ASSERT_TRUE(opened);
    AppContext& context = **opened;
    QWidget window;
    PlaceMenu menu(context, &window);
    emit menu.menu()->aboutToShow();
    ASSERT_TRUE(waitForJobs());
    const auto entry = [&](const QString& name) { return menu.menu()->findChild<QAction*>(name); };
    ASSERT_TRUE(entry("device-sample"));
    EXPECT_TRUE(entry("device-sample")->isChecked());
    ASSERT_TRUE(entry("device-" + q(toText(makeHostDevice("gpu7")))));
    EXPECT_FALSE(entry("device-" + q(toText(makeHostDevice("gpu7"))))->isChecked());
    ASSERT_TRUE(entry("database-" + other));
    EXPECT_FALSE(entry("database-" + other)->isChecked());
    EXPECT_FALSE(entry("database-" + q((folder / "gone.db").string()))) << "it is not there any more";
    EXPECT_TRUE(entry("database-:sample:") && entry("database-:documents:"));
    EXPECT_TRUE(entry("database-" + q(Store::defaultLocation())));
    EXPECT_TRUE(menu.describe().endsWith("here.db"));
    entry("database-" + other)->trigger();
    EXPECT_EQ(context.location(), other);
    EXPECT_TRUE(menu.text().contains("other.db"));
    EXPECT_TRUE(menu.toolTip().contains(other));
    EXPECT_EQ(loadRemembered().database, other);
    EXPECT_EQ(loadRemembered().databases.front(), other);
    emit menu.menu()->aboutToShow();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(entry("database-" + other)->isChecked());
    QSignalSpy requested(&context, &AppContext::navigationRequested), posted(&context, &AppContext::messagePosted);
    entry("checkMachine")->trigger();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "environment");
    support::writeBytes(folder / "broken.db", std::string(5000, 'x'));
    menu.openDatabase(q((folder / "broken.db").string()));
    EXPECT_EQ(posted.count(), 1);
    EXPECT_EQ(context.location(), other);
    EXPECT_EQ(loadRemembered().database, other);
    EXPECT_EQ(databaseName("/a/b/work.db"), "work.db");
    EXPECT_NE(databaseName(":sample:"), databaseName(":documents:"));
    EXPECT_NE(databaseName(q(Store::defaultLocation())), "kernelloop.db") << "one's own is called so";
    QSettings().remove("window");
}

TEST(TitleLines, NameTheSessionAndThePlace)
{
    auto opened = AppContext::open(":memory:", DeviceSpec::sample());
    ASSERT_TRUE(opened);
    TitleLine title(**opened, nullptr);
    EXPECT_EQ(title.describe(), title.place()->describe());
    (*opened)->setCurrentSession({"id"}, "N+6", "transpose");
    EXPECT_EQ(title.describe(), q("N+6 · transpose · ") + title.place()->describe());
    const auto shows = [&](const QString& text) {
        return std::ranges::any_of(title.findChildren<QLabel*>(), [&](const QLabel* label) { return label->text() == text; });
    };
    EXPECT_TRUE(shows(q("N+6 · transpose")));
    (*opened)->setCurrentSession({}, {}, {});
    EXPECT_FALSE(shows(q("N+6 · transpose")));
    const QSignalSpy find(&title, &TitleLine::findRequested);
    title.findChild<QToolButton*>("find")->click();
    EXPECT_EQ(find.count(), 1);
}

} // namespace
} // namespace kl::ui
