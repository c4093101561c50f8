// SPDX-License-Identifier: MIT
#include "ui/pages/compare/basket_card.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme_menu.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

namespace kl::ui {
namespace {

/// Colors that make up at least a few pixels of a picture.
int countColors(const QImage& image)
{
    std::map<QRgb, int> counts;
    for (int y = 0; y < image.height(); y += 2)
        for (int x = 0; x < image.width(); x += 2)
            ++counts[image.pixel(x, y)];
    return static_cast<int>(std::count_if(counts.begin(), counts.end(), [](const auto& entry) { return entry.second > 3; }));
}

/// One window on the sample for all tests: building the sample takes a moment.
class Pages : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        window = new MainWindow(*context);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    static void TearDownTestSuite()
    {
        delete window;
        delete context;
    }
    static AppContext* context;
    static MainWindow* window;
};
AppContext* Pages::context = nullptr;
MainWindow* Pages::window = nullptr;

TEST_F(Pages, NoPageIsBlank)
{
    for (const PageEntry& entry : window->entries()) {
        window->showPage(entry.id);
        ASSERT_TRUE(waitForJobs());
        EXPECT_GT(countColors(window->page(entry.id)->grab().toImage()), 5) << entry.id.toStdString();
        bool words = false;
        for (const QLabel* label : window->page(entry.id)->findChildren<QLabel*>())
            words = words || (label->isVisible() && label->text().size() > 3);
        EXPECT_TRUE(words) << entry.id.toStdString();
    }
}

TEST_F(Pages, RailAndShortcutsSwitch)
{
    window->showPage("home");
    for (QToolButton* button : window->findChildren<QToolButton*>())
        if (button->accessibleName() == "History")
            QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(window->currentPage(), "history");
    window->showPage("no-such-page");
    EXPECT_EQ(window->currentPage(), "history");
    waitForJobs();
}

TEST_F(Pages, SampleShowsItsBannerAndDevice)
{
    EXPECT_TRUE(context->isSample());
    EXPECT_TRUE(window->findChild<QPushButton*>("startOwn")->isVisible());
    EXPECT_TRUE(window->windowTitle().contains("recorded") || !context->deviceReason().isEmpty());
    EXPECT_FALSE(context->writeReason().isEmpty());
}

TEST_F(Pages, HomeListsTheShippedSessions)
{
    window->showPage("home");
    ASSERT_TRUE(waitForJobs());
    const auto* table = window->page("home")->findChild<DataTable*>();
    ASSERT_NE(table, nullptr);
    EXPECT_GE(table->model()->rowCount(), 7);
    EXPECT_TRUE(table->tsv(false).contains("attention-6"));
}

TEST_F(Pages, RecentRunsUseTheWholeWidthOfTheirCard)
{
    window->resize(1280, 800);
    window->showPage("home");
    ASSERT_TRUE(waitForJobs());
    int rows = 0;
    for (const QLabel* detail : window->page("home")->findChildren<QLabel*>("rowDetail")) {
        if (!detail->isVisible())
            continue;
        ++rows;
        EXPECT_EQ(detail->width(), detail->parentWidget()->width()) << detail->text().toStdString();
    }
    EXPECT_GE(rows, 3);
}

TEST_F(Pages, ArrowKeysKeepAVisibleSelectionInTheListOfKernels)
{
    window->showPage("kernels", "transpose/naive");
    ASSERT_TRUE(waitForJobs());
    auto* list = window->page("kernels")->findChild<QTreeWidget*>();
    for (int step = 0; step < 8; ++step) { // past the end of a family
        QTest::keyClick(list, Qt::Key_Down);
        EXPECT_EQ(list->selectedItems().size(), 1) << list->currentItem()->text(0).toStdString();
    }
    ASSERT_TRUE(waitForJobs());
}

TEST_F(Pages, TimesOfKernelsAreReadableAfterTheThemeChanged)
{
    window->showPage("kernels", "transpose/naive");
    ASSERT_TRUE(waitForJobs());
    Theme::instance().choose(ThemeChoice::dark);
    int best = 0;
    for (QTreeWidgetItemIterator it(window->page("kernels")->findChild<QTreeWidget*>()); *it; ++it)
        if (const QVariant own = (*it)->data(1, Qt::ForegroundRole); own.isValid()) { // the others have the style's color
            EXPECT_EQ(own.value<QBrush>().color(), color(Token::better)) << (*it)->text(0).toStdString();
            ++best;
        }
    EXPECT_GE(best, 15) << "one of each family";
    Theme::instance().choose(ThemeChoice::light);
}

TEST_F(Pages, ATableOfSessionsLeavesScrollingToThePage)
{
    window->resize(1280, 800);
    for (const char* name : {"home", "history"}) {
        window->showPage(name);
        ASSERT_TRUE(waitForJobs());
        QCoreApplication::processEvents();
        const auto* table = window->page(name)->findChild<DataTable*>();
        ASSERT_NE(table, nullptr);
        EXPECT_GE(table->model()->rowCount(), 7) << name;
        EXPECT_EQ(table->verticalScrollBar()->maximum(), 0) << name;
    }
}

TEST_F(Pages, CompareOpensWithAChangeAndGivesWayToTheUsersChoice)
{
    window->showPage("compare");
    ASSERT_TRUE(waitForJobs());
    Page* page = window->page("compare");
    const auto* card = page->findChild<BasketCard*>();
    ASSERT_NE(card, nullptr);
    const auto kernelsShown = [&] {
        QStringList kernels;
        for (const QPushButton* button : card->findChildren<QPushButton*>())
            if (button->isVisible() && button->accessibleName().startsWith("Remove "))
                kernels << button->accessibleName().section(' ', 1);
        return kernels;
    };
    // The text that names the second one before the first one, which it improves on.
    const auto statesImprovement = [&](const QString& first, const QString& second) {
        bool stated = false;
        for (const QLabel* label : card->findChildren<QLabel*>())
            stated = stated || (label->isVisible() && label->text().contains(second) && label->text().section(second, 1).contains(first));
        return stated;
    };
    const QStringList pair = kernelsShown();
    ASSERT_EQ(pair.size(), 2);
    EXPECT_TRUE(statesImprovement(pair[0], pair[1]));
    RunQuery query;
    query.kernel = "reduction";
    const auto runs = context->store().runs(query);
    ASSERT_TRUE(runs && !runs->empty());
    window->showPage("compare", QStringLiteral("run:") + q(runs->front().id.text));
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(kernelsShown().size(), 1) << "what the window chose is not part of it";
    EXPECT_FALSE(statesImprovement(pair[0], pair[1]));
}

TEST_F(Pages, TheBasketOfComparisonsIsEmptiedSwappedAndFilledAgain)
{
    window->showPage("compare");
    ASSERT_TRUE(waitForJobs());
    Page* page = window->page("compare");
    const auto press = [&](const QString& name) {
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->isVisible() && (button->objectName() == name || button->text() == name)) {
                button->click();
                EXPECT_TRUE(waitForJobs());
                return true;
            }
        return false;
    };
    const auto removals = [&] {
        QStringList names;
        for (const QPushButton* button : page->findChildren<QPushButton*>())
            if (button->isVisible() && button->accessibleName().startsWith("Remove "))
                names << button->accessibleName();
        return names;
    };
    const auto removeEach = [&] {
        for (qsizetype left = removals().size(); left > 0; --left) {
            for (QPushButton* button : page->findChildren<QPushButton*>())
                if (button->isVisible() && button->accessibleName() == removals().value(0)) {
                    button->click();
                    break;
                }
            EXPECT_TRUE(waitForJobs());
            EXPECT_EQ(removals().size(), left - 1);
        }
    };
    removeEach();
    ASSERT_TRUE(press("stateAction"));
    const QStringList before = removals();
    ASSERT_GE(before.size(), 2);
    const QString verdict = page->findChild<QLabel*>("verdictSentence")->text();
    ASSERT_TRUE(press("swapRuns"));
    EXPECT_EQ(removals().value(0), before[1]);
    EXPECT_EQ(removals().value(1), before[0]);
    EXPECT_NE(page->findChild<QLabel*>("verdictSentence")->text(), verdict);
    ASSERT_TRUE(press("emptyBasket"));
    EXPECT_TRUE(removals().isEmpty());
    window->showPage("home");
    window->showPage("compare");
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(removals().isEmpty()) << "what the user emptied stays empty";
    ASSERT_TRUE(press("stateAction"));
    EXPECT_EQ(removals().size(), 2);
    removeEach();
    ASSERT_TRUE(press("stateAction")) << "one by one it is emptied, too";
}

TEST_F(Pages, AnInterleavedMeasurementIsOfferedWithTheReasonWhyNotHere)
{
    window->showPage("compare");
    ASSERT_TRUE(waitForJobs());
    auto* basket = window->page("compare")->findChild<BasketCard*>();
    ASSERT_NE(basket, nullptr);
    emit basket->emptied();
    ASSERT_TRUE(waitForJobs());
    for (QPushButton* button : window->page("compare")->findChildren<QPushButton*>())
        if (button->isVisible() && button->objectName() == "stateAction") {
            button->click();
            break;
        }
    ASSERT_TRUE(waitForJobs());
    const auto* measure = window->page("compare")->findChild<QPushButton*>("measureAb");
    ASSERT_TRUE(measure->isVisible());
    EXPECT_FALSE(measure->isEnabled());
    EXPECT_EQ(measure->accessibleDescription(), context->explainUnmeasurable());
}

TEST_F(Pages, PatternSearchNarrowsAndSaysWhenNothingMatches)
{
    window->showPage("patterns");
    ASSERT_TRUE(waitForJobs());
    Page* page = window->page("patterns");
    auto* search = page->findChild<QLineEdit*>("patternSearch");
    const auto* table = page->findChild<DataTable*>();
    const int all = table->model()->rowCount();
    EXPECT_GE(all, 14);
    QTest::keyClicks(search, "profile");
    ASSERT_TRUE(waitForJobs());
    EXPECT_LT(table->model()->rowCount(), all);
    EXPECT_GT(table->model()->rowCount(), 0);
    search->setText("zzzz");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(table->model()->rowCount(), 0);
    const auto actions = page->findChildren<QPushButton*>("stateAction");
    EXPECT_TRUE(std::ranges::any_of(actions, [](const QPushButton* action) { return action->isVisible(); })) << "to clear the search";
    search->clear();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(table->model()->rowCount(), all);
}

TEST_F(Pages, KernelsShowSourceAndRefuseToWriteTheSample)
{
    window->showPage("kernels", "transpose/naive");
    ASSERT_TRUE(waitForJobs());
    Page* page = window->page("kernels");
    EXPECT_FALSE(page->findChild<QPushButton*>("run")->isEnabled());
    bool reason = false;
    for (const QLabel* label : page->findChildren<QLabel*>())
        reason = reason || (label->isVisible() && label->text() == context->writeReason());
    EXPECT_TRUE(reason);
}

TEST_F(Pages, AProfiledKernelLeadsToItsNewestDiagnosis)
{
    RunQuery query;
    query.kernel = "transpose/naive";
    query.profilesOnly = true;
    const auto profiles = context->store().runs(query);
    ASSERT_TRUE(profiles);
    if (profiles->empty())
        GTEST_SKIP() << "this build carries no recorded capture (resources/captures/): run ./dev capture on a GPU host";
    window->showPage("kernels", "transpose/naive");
    ASSERT_TRUE(waitForJobs());
    const Page* page = window->page("kernels");
    auto* sizes = page->findChild<QComboBox*>();
    auto* door = page->findChild<QPushButton*>("showDiagnosis");
    ASSERT_TRUE(door && sizes);
    EXPECT_TRUE(door->isVisible());
    const auto ofSize = std::ranges::find(*profiles, utf8(sizes->currentText()), &RunSummary::problem);
    const RunId newest = ofSize == profiles->end() ? profiles->front().id : ofSize->id;
    QString opened;
    const auto watch = QObject::connect(context, &AppContext::navigationRequested,
                                        [&](const QString& where, const QString& argument) { opened = where + u' ' + argument; });
    QTest::mouseClick(door, Qt::LeftButton);
    QObject::disconnect(watch);
    EXPECT_EQ(opened, QStringLiteral("diagnose ") + q(newest.text));
    EXPECT_EQ(window->currentPage(), "diagnose");
    ASSERT_TRUE(waitForJobs());
}

TEST_F(Pages, ASessionOfTheListOpensByItsNameAndByReturn)
{
    const auto shown = [&] {
        window->showPage("session", "list");
        EXPECT_TRUE(waitForJobs());
        DataTable* found = nullptr;
        for (auto* table : window->page("session")->findChildren<DataTable*>())
            if (table->isVisible() && table->model()->rowCount() > 0)
                found = table;
        return found;
    };
    const auto isOpen = [&] {
        EXPECT_TRUE(waitForJobs());
        return window->currentPage() != "session" || !window->findChild<QPushButton*>("newSession")->isVisible();
    };
    DataTable* table = shown();
    ASSERT_TRUE(table);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, 0)).center());
    EXPECT_TRUE(isOpen());
    QTest::qWait(QApplication::doubleClickInterval() + 20);
    table = shown();
    ASSERT_TRUE(table);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(0, 1)).center());
    EXPECT_FALSE(isOpen()) << "a click elsewhere selects";
    QTest::keyClick(table, Qt::Key_Return);
    EXPECT_TRUE(isOpen());
}

TEST_F(Pages, KernelsNarrowByNameAndByExpectedClass)
{
    window->showPage("kernels", "transpose/naive");
    ASSERT_TRUE(waitForJobs());
    Page* page = window->page("kernels");
    auto* list = page->findChild<QTreeWidget*>();
    auto* filter = page->findChild<QLineEdit*>("kernelFilter");
    ASSERT_TRUE(list && filter);
    const auto shown = [&] {
        QStringList addresses;
        for (QTreeWidgetItemIterator it(list, QTreeWidgetItemIterator::NotHidden); *it; ++it)
            if (const QString address = (*it)->data(0, Qt::UserRole).toString(); !address.isEmpty())
                addresses << address;
        return addresses;
    };
    const QStringList all = shown();
    EXPECT_GE(all.size(), 60);
    QTest::keyClicks(filter, "bank-conf");
    EXPECT_TRUE(shown().contains("transpose/tiled"));
    EXPECT_FALSE(shown().contains("histogram/global"));
    filter->clear();
    QTest::keyClicks(filter, "HISTOGRAM");
    for (const QString& address : shown())
        EXPECT_TRUE(address.startsWith("histogram/")) << address.toStdString();
    EXPECT_GE(shown().size(), 3);
    filter->clear();
    EXPECT_EQ(shown(), all);
}

TEST_F(Pages, DiagnoseOffersEveryProfileOfTheSample)
{
    RunQuery query;
    query.profilesOnly = true;
    query.limit = 100000;
    const auto profiles = context->store().runs(query);
    ASSERT_TRUE(profiles);
    window->showPage("diagnose");
    ASSERT_TRUE(waitForJobs());
    auto* picker = window->findChild<RunPicker*>("profilePicker");
    picker->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(picker->table()->rows().size(), profiles->size());
    QTest::keyClick(picker->table()->filterField(), Qt::Key_Escape);
    picker->table()->window()->hide();
}

TEST_F(Pages, DiagnoseOfARunThatWasTimedAloneSaysSo)
{
    RunQuery query;
    query.limit = 100000;
    const auto runs = context->store().runs(query);
    ASSERT_TRUE(runs);
    const auto timed = std::ranges::find_if(*runs, [](const RunSummary& run) { return run.classId.empty(); });
    if (timed == runs->end())
        GTEST_SKIP() << "this build carries no recorded capture (resources/captures/): run ./dev capture on a GPU host";
    window->showPage("diagnose", q(timed->id.text));
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(window->page("diagnose")->findChild<QLabel*>("findingSentence")->isVisible());
    EXPECT_TRUE(window->page("diagnose")->findChild<QPushButton*>("stateAction")->isVisible());
}

TEST_F(Pages, DiagnoseFitsTheSmallestWindow)
{
    const QSize before = window->size();
    window->resize(window->minimumSize());
    window->showPage("diagnose", "transpose/naive");
    ASSERT_TRUE(waitForJobs());
    QTest::qWait(0);
    const auto* area = window->page("diagnose")->findChild<QScrollArea*>();
    EXPECT_LE(area->widget()->width(), area->viewport()->width()) << "it scrolls downwards alone";
    const auto* picker = window->findChild<RunPicker*>("profilePicker");
    const auto* open = window->findChild<QPushButton*>("openReport");
    EXPECT_LE(picker->geometry().right(), open->geometry().left());
    window->resize(before);
}

TEST_F(Pages, FinderOpensWhatAFewLettersName)
{
    window->showPage("home");
    ASSERT_TRUE(waitForJobs());
    window->activateWindow();
    QTest::keyClick(window, Qt::Key_K, Qt::ControlModifier);
    ASSERT_TRUE(waitForJobs());
    auto* text = window->findChild<QLineEdit*>("finderText");
    const auto* list = window->findChild<QTreeWidget*>("finderList");
    ASSERT_TRUE(text && list);
    ASSERT_TRUE(text->isVisible());
    EXPECT_EQ(list->topLevelItem(0)->text(0), "Home") << "pages come first";
    QTest::keyClicks(text, "tiled TRANSP kern");
    ASSERT_GE(list->topLevelItemCount(), 1);
    EXPECT_EQ(list->topLevelItem(0)->text(0), "transpose/tiled");
    QTest::keyClick(text, Qt::Key_Return);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(text->isVisible());
    EXPECT_EQ(window->currentPage(), "kernels");
    QTest::keyClick(window, Qt::Key_K, Qt::ControlModifier);
    ASSERT_TRUE(waitForJobs());
    QTest::keyClicks(text, "zzzz");
    EXPECT_EQ(list->topLevelItemCount(), 0);
    QTest::keyClick(text, Qt::Key_Return); // opens nothing
    EXPECT_TRUE(text->isVisible());
    QTest::keyClick(text, Qt::Key_Escape);
    EXPECT_FALSE(text->isVisible());
    EXPECT_EQ(window->currentPage(), "kernels");
}

TEST_F(Pages, ThemeIsSwitchedInTheWindowAndRemembered)
{
    const auto* menu = window->findChild<QToolButton*>("themeMenu")->menu();
    const auto choose = [&](const char* name) {
        for (QAction* action : menu->actions())
            if (action->objectName() == name)
                action->trigger();
    };
    EXPECT_EQ(menu->actions().size(), 3);
    choose("auto");
    EXPECT_EQ(loadTheme(), ThemeChoice::automatic);
    choose("dark");
    EXPECT_EQ(Theme::instance().scheme(), Scheme::dark);
    EXPECT_EQ(loadTheme(), ThemeChoice::dark);
    choose("light");
    EXPECT_EQ(Theme::instance().scheme(), Scheme::light);
    EXPECT_EQ(loadTheme(), ThemeChoice::light);
}

TEST_F(Pages, EscapeDismissesTheNewestMessage)
{
    window->messages()->clear();
    for (const char* what : {"first", "second"})
        context->post({MessageLevel::info, what, {}, {}});
    QTest::keyClick(window, Qt::Key_Escape);
    EXPECT_EQ(window->messages()->count(), 1);
    EXPECT_NE(window->messages()->findChild<QLabel*>(), nullptr);
    window->messages()->clear();
}

TEST_F(Pages, MessagesReachTheBar)
{
    window->messages()->clear();
    context->post(Error{.code = ErrorCode::environment, .message = "No GPU", .hint = "use --on sample"});
    EXPECT_EQ(window->messages()->count(), 1);
    window->messages()->clear();
}

TEST(OwnDatabase, StartsEmptyInWordsAndAllowsWriting)
{
    QTemporaryDir dir;
    auto opened = AppContext::open(utf8(dir.filePath("own.db")), DeviceSpec::sample());
    ASSERT_TRUE(opened) << opened.error().message;
    AppContext& context = **opened;
    EXPECT_FALSE(context.isSample());
    MainWindow window(context);
    window.show();
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(window.findChild<QPushButton*>("startOwn")->isVisible());
    for (const PageEntry& entry : window.entries()) {
        window.showPage(entry.id);
        ASSERT_TRUE(waitForJobs());
        EXPECT_GT(countColors(window.page(entry.id)->grab().toImage()), 5) << entry.id.toStdString();
    }
}

TEST(OwnDatabase, AReportOfNothingCannotBeSaved)
{
    QTemporaryDir dir;
    auto opened = AppContext::open(utf8(dir.filePath("own.db")), DeviceSpec::sample());
    ASSERT_TRUE(opened) << opened.error().message;
    MainWindow window(**opened);
    window.show();
    window.showPage("compare");
    ASSERT_TRUE(waitForJobs());
    for (const QPushButton* button : window.findChildren<QPushButton*>("saveReport"))
        if (button->isVisible()) {
            EXPECT_FALSE(button->isEnabled());
            EXPECT_FALSE(button->toolTip().isEmpty()) << "it says why";
        }
}

TEST(OwnDatabase, AFileThatIsNotOursIsAnErrorInWords)
{
    QTemporaryDir dir;
    QFile file(dir.filePath("other.db"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("this is not a database, but a text that is long enough to be looked at");
    file.close();
    const auto opened = AppContext::open(utf8(file.fileName()), DeviceSpec::sample());
    ASSERT_FALSE(opened);
    EXPECT_FALSE(opened.error().message.empty());
}

} // namespace
} // namespace kl::ui
