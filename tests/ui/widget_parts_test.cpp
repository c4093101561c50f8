// SPDX-License-Identifier: MIT
// Widgets that pages are made of: that each shows what it was given last and does what it says.
#include "core/base/format.h"
#include "ui/jobs/job.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/code_colors.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/copy_card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/heat_map.h"
#include "ui/widgets/input_card.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/option_card.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/reflow.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/tab_order.h"
#include "ui/widgets/tasks_tray.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme_menu.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <atomic>

namespace kl::ui {
namespace {

/// Rows of two columns; the first is sorted as a number.
void fillModel(QStandardItemModel& model, const std::vector<std::pair<int, QString>>& rows)
{
    model.clear();
    model.setHorizontalHeaderLabels({"number", "name"});
    for (const auto& [number, name] : rows) {
        auto* first = new QStandardItem(QString::number(number));
        first->setData(number, Qt::UserRole);
        auto* second = new QStandardItem(name);
        second->setData(name, Qt::UserRole);
        model.appendRow({first, second});
    }
}

TEST(DataTables, CopyWhatIsSelectedElseAllInTheOrderThatIsShown)
{
    QStandardItemModel model;
    fillModel(model, {{10, "ten\tof\nit"}, {9, "nine"}, {100, "hundred"}});
    DataTable table("copy-test");
    table.setSource(&model);
    EXPECT_EQ(table.tsv(false), "number\tname\n10\tten of it\n9\tnine\n100\thundred") << "unsorted at first";
    table.sortByColumn(0, Qt::AscendingOrder);
    EXPECT_EQ(table.tsv(false), "number\tname\n9\tnine\n10\tten of it\n100\thundred");
    EXPECT_EQ(table.tsv(true), "number\tname") << "nothing is selected";
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), table.tsv(false));
    table.selectRow(2);
    EXPECT_EQ(table.sourceRow(), 2);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), "number\tname\n100\thundred");
    EXPECT_EQ(DataTable("none").tsv(false), "");
    EXPECT_EQ(DataTable("none").sourceRow(), -1);
}

TEST(DataTables, SpaceDoesNothingWithoutASecondActionOrARow)
{
    QStandardItemModel model;
    fillModel(model, {{1, "a"}});
    DataTable table("space-test");
    table.setSource(&model);
    const QSignalSpy second(&table, &DataTable::secondAction), opened(&table, &DataTable::opened);
    table.selectRow(0);
    QTest::keyClick(&table, Qt::Key_Space);
    EXPECT_EQ(second.count(), 0);
    table.setSecondAction("Do it");
    QTest::keyClick(&table, Qt::Key_Space);
    EXPECT_EQ(second.count(), 1);
    table.setCurrentIndex({});
    QTest::keyClick(&table, Qt::Key_Space);
    EXPECT_EQ(second.count(), 1);
    table.selectRow(0);
    QTest::keyClick(&table, Qt::Key_Enter);
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toInt(), 0);
}

TEST(DataTables, GrowWithTheirRowsUpToAHeight)
{
    QStandardItemModel model;
    fillModel(model, {{1, "a"}, {2, "b"}});
    DataTable table("growing-test");
    table.setSource(&model);
    table.resize(300, 300);
    table.setGrowing(3);
    const int two = table.maximumHeight();
    EXPECT_EQ(table.minimumHeight(), two);
    EXPECT_EQ(table.verticalScrollBarPolicy(), Qt::ScrollBarAlwaysOff);
    fillModel(model, {{1, "a"}, {2, "b"}, {3, "c"}});
    table.setGrowing(3);
    const int three = table.maximumHeight();
    EXPECT_EQ(three - two, table.rowHeight(0));
    EXPECT_EQ(table.verticalScrollBarPolicy(), Qt::ScrollBarAlwaysOff) << "all fit";
    fillModel(model, {{1, "a"}, {2, "b"}, {3, "c"}, {4, "d"}});
    table.setGrowing(3);
    EXPECT_EQ(table.maximumHeight(), three);
    EXPECT_EQ(table.verticalScrollBarPolicy(), Qt::ScrollBarAsNeeded);
    EXPECT_EQ(table.heightFor(3) - table.heightFor(2), table.heightFor(2) - table.heightFor(1));
}

TEST(DataTables, OptionalColumnsGiveWayTheLastOneFirst)
{
    QStandardItemModel model(1, 4);
    model.setHorizontalHeaderLabels({"stretched", "second column", "third column", "fourth column"});
    DataTable table("optional-test");
    table.setStretchColumn(0);
    table.setSource(&model);
    table.setOptionalColumns({3, 1}, 100);
    const auto hidden = [&](int width) {
        table.resize(width, 200);
        QCoreApplication::processEvents();
        std::vector<int> columns;
        for (int column = 0; column < 4; ++column)
            if (table.isColumnHidden(column))
                columns.push_back(column);
        return columns;
    };
    table.show();
    EXPECT_EQ(hidden(900), std::vector<int>{});
    int width = 900;
    while (width > 50 && hidden(width).empty())
        width -= 10;
    EXPECT_EQ(hidden(width), std::vector<int>{1}) << "the last of the list";
    EXPECT_GE(table.columnWidth(0), 100);
    while (width > 50 && hidden(width).size() < 2)
        width -= 10;
    EXPECT_EQ(hidden(width), (std::vector<int>{1, 3}));
    EXPECT_EQ(hidden(900), std::vector<int>{}) << "they come back";
    EXPECT_GT(table.columnWidth(0), 300) << "the rest is the stretched one's";
}

TEST(DataTables, ALinkIsWhereARowCanBeOpened)
{
    QStandardItemModel model;
    fillModel(model, {{1, "a"}, {2, "b"}});
    DataTable table("link-test");
    table.setSource(&model);
    table.setLinkColumn(1, [](int row) { return row == 1; });
    table.resize(400, 200);
    table.show();
    const QSignalSpy opened(&table, &DataTable::opened);
    const auto at = [&](int row, int column) { return table.visualRect(table.model()->index(row, column)).center(); };
    emit table.entered(table.model()->index(1, 1));
    EXPECT_EQ(table.viewport()->cursor().shape(), Qt::PointingHandCursor);
    emit table.entered(table.model()->index(0, 1));
    EXPECT_EQ(table.viewport()->cursor().shape(), Qt::ArrowCursor) << "it cannot be opened";
    emit table.entered(table.model()->index(1, 1));
    emit table.viewportEntered();
    EXPECT_EQ(table.viewport()->cursor().shape(), Qt::ArrowCursor) << "below the rows";
    emit table.entered(table.model()->index(1, 0));
    EXPECT_EQ(table.viewport()->cursor().shape(), Qt::ArrowCursor);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, at(0, 1));
    EXPECT_EQ(opened.count(), 0);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, at(1, 1));
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toInt(), 1);
}

TEST(StateStacks, AnErrorHasItsHintAndIsTriedAgain)
{
    StateStack stack(new QLabel("content"));
    int retried = 0;
    const auto shows = [&](const char* text) {
        for (const QLabel* label : stack.findChildren<QLabel*>())
            if (label->text() == QLatin1String(text) && !label->isHidden())
                return true;
        return false;
    };
    stack.showError(Error{.code = ErrorCode::badInput, .message = "Damaged", .hint = "open another", .where = "a.db"}, [&] { ++retried; });
    EXPECT_TRUE(shows("Damaged") && shows("open another"));
    EXPECT_FALSE(shows("a.db"));
    stack.findChild<QPushButton*>("stateAction")->click();
    EXPECT_EQ(retried, 1);
    stack.showError(Error{.code = ErrorCode::badInput, .message = "Damaged", .where = "a.db"});
    EXPECT_TRUE(shows("a.db")) << "without a hint, where";
    EXPECT_TRUE(stack.findChild<QPushButton*>("stateAction")->isHidden());
    stack.findChild<QPushButton*>("stateAction")->click();
    EXPECT_EQ(retried, 1) << "not what was offered before";
    int done = 0;
    stack.showUnavailable("No GPU", "Use a host.", "Choose", [&] { ++done; });
    EXPECT_TRUE(shows("No GPU") && shows("Use a host."));
    stack.findChild<QPushButton*>("stateAction")->click();
    EXPECT_EQ(done, 1);
}

TEST(StateStacks, TheOldContentStaysWhileLoadingIsQuick)
{
    StateStack stack(new QLabel("content"));
    stack.showLoading();
    EXPECT_TRUE(stack.showsContent());
    auto* patience = stack.findChild<QTimer*>();
    ASSERT_TRUE(patience->isActive());
    QMetaObject::invokeMethod(patience, "timeout");
    EXPECT_EQ(stack.currentIndex(), 1);
    stack.showEmpty({"empty", "Nothing", {}, {}, {}});
    EXPECT_FALSE(patience->isActive()) << "the state is not covered later";
    EXPECT_EQ(stack.currentIndex(), 2);
    stack.showContent();
    EXPECT_TRUE(stack.showsContent());
}

TEST(MessageBars, AreAtTheBottomAndTheirButtonsAct)
{
    QWidget page;
    page.resize(1000, 600);
    MessageBar bar(&page);
    page.show();
    int pressed = 0;
    Message message{MessageLevel::warning, "first", {}, {}, {}};
    message.buttons = {{"One", [&] { pressed += 1; }}, {"Two", [&] { pressed += 10; }}};
    bar.post(message);
    bar.post({MessageLevel::error, "second", {}, {}});
    QCoreApplication::processEvents();
    const int bottom = bar.geometry().bottom();
    EXPECT_LT(bottom, 600);
    EXPECT_EQ(bar.width(), 760) << "no wider than it reads well";
    bar.setBottom(100);
    EXPECT_EQ(bar.geometry().bottom(), bottom - 100) << "above what lies there";
    page.resize(500, 600);
    QCoreApplication::processEvents();
    EXPECT_LT(bar.width(), 500);
    EXPECT_TRUE(page.rect().contains(bar.geometry()));
    const auto actions = bar.findChildren<QPushButton*>("messageAction");
    ASSERT_EQ(actions.size(), 2);
    actions[1]->click();
    EXPECT_EQ(pressed, 10);
    EXPECT_EQ(bar.findChildren<QFrame*>("message")[0]->property("level").toString(), "warning");
    bar.findChildren<QToolButton*>("dismiss")[0]->click();
    EXPECT_EQ(bar.count(), 1);
    EXPECT_EQ(bar.layout()->itemAt(0)->widget()->accessibleName().trimmed(), "second") << "the one that was dismissed is gone";
    EXPECT_TRUE(bar.isVisible());
    bar.dismissNewest();
    EXPECT_FALSE(bar.isVisible());
    bar.dismissNewest();
    EXPECT_EQ(bar.count(), 0);
    bar.post({MessageLevel::info, "third", {}, {}});
    bar.clear();
    EXPECT_EQ(bar.count(), 0);
    EXPECT_FALSE(bar.isVisible());
}

TEST(TasksTrays, ATaskHasItsTitleProgressAndCancel)
{
    TasksTray tray;
    BackgroundJob job, quiet;
    std::atomic<bool> reported = false;
    job.start(
        QStringLiteral("Measuring"),
        [&](const Job& handle) {
            Progress progress;
            progress.step = "warming up";
            progress.elapsed = 5;
            progress.expected = 20;
            handle.progress(progress);
            reported = true;
            while (!handle.stop.stop_requested())
                QThread::msleep(1);
            return 0;
        },
        [](int) {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return reported && job.lastProgress().expected; }, 60000));
    ASSERT_EQ(tray.count(), 1);
    EXPECT_FALSE(tray.isHidden());
    const auto* words = tray.findChild<QLabel*>();
    EXPECT_TRUE(words->text().startsWith(q("Measuring · warming up · "))) << words->text().toStdString();
    EXPECT_TRUE(words->text().endsWith(q(formatElapsed(20)))) << words->text().toStdString();
    const auto* bar = tray.findChild<QProgressBar*>();
    EXPECT_EQ(bar->value(), 250) << "a quarter of it";
    EXPECT_EQ(bar->maximum(), 1000);
    auto* cancel = tray.findChild<QToolButton*>();
    ASSERT_TRUE(cancel->isEnabled());
    cancel->click();
    EXPECT_FALSE(cancel->isEnabled()) << "once";
    EXPECT_TRUE(words->text().contains("stopping"));
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(tray.count(), 0);
    EXPECT_TRUE(tray.isHidden());
    quiet.start(
        {}, [](const Job&) { return 0; }, [](int) {});
    EXPECT_EQ(tray.count(), 0) << "what only reads is not a task";
    ASSERT_TRUE(waitForJobs());
}

TEST(HeatMaps, AClickIsTheRowAtItsHeight)
{
    HeatMap map;
    map.resize(16, 100);
    QSignalSpy picked(&map, &HeatMap::picked);
    QTest::mouseClick(&map, Qt::LeftButton, {}, {8, 50});
    EXPECT_EQ(picked.count(), 0) << "there are no rows";
    map.setHeat(std::vector<std::int64_t>(10, 1));
    EXPECT_EQ(map.rowAt(0), 0);
    EXPECT_EQ(map.rowAt(9), 0);
    EXPECT_EQ(map.rowAt(10), 1);
    EXPECT_EQ(map.rowAt(99), 9);
    EXPECT_EQ(map.rowAt(500), 9);
    EXPECT_EQ(map.rowAt(-5), 0);
    QTest::mouseClick(&map, Qt::LeftButton, {}, {8, 55});
    QTest::mouseClick(&map, Qt::RightButton, {}, {8, 75});
    ASSERT_EQ(picked.count(), 1);
    EXPECT_EQ(picked[0][0].toInt(), 5);
    QMouseEvent drag(QEvent::MouseMove, QPointF(8, 85), map.mapToGlobal(QPointF(8, 85)), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&map, &drag);
    QMouseEvent hover(QEvent::MouseMove, QPointF(8, 15), map.mapToGlobal(QPointF(8, 15)), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&map, &hover);
    ASSERT_EQ(picked.count(), 2);
    EXPECT_EQ(picked[1][0].toInt(), 8);
    map.setHeat({0, 0, 0, 0, 0, 0, 0, 0, 0, 7});
    const QImage image = map.grab().toImage();
    EXPECT_NE(image.pixel(8, 92), image.pixel(8, 50)) << "only the last row is hot";
    EXPECT_EQ(image.pixel(8, 20), image.pixel(8, 50));
}

TEST(InputCards, EachFieldIsNamedRangedAndToldOf)
{
    InputCard card("Inputs");
    QSpinBox* whole = card.addWhole("whole", "Whole", 2, 9, 5, " B");
    QDoubleSpinBox* real = card.addReal("real", "Real", 0.5, 1.5, 1, " s");
    QComboBox* choice = card.addChoice("choice", "Choice", {"a", "b", "c"}, 1);
    QComboBox* open = card.addOpenChoice("open", "Open");
    open->addItems({"x", "y"});
    QCheckBox* flag = card.addFlag("flag", "Flag");
    EXPECT_EQ(whole->value(), 5);
    EXPECT_EQ(std::pair(whole->minimum(), whole->maximum()), std::pair(2, 9));
    EXPECT_EQ(whole->suffix(), " B");
    EXPECT_EQ(real->value(), 1);
    EXPECT_EQ(std::pair(real->minimum(), real->maximum()), std::pair(0.5, 1.5));
    EXPECT_EQ(choice->currentText(), "b");
    EXPECT_TRUE(open->isEditable());
    EXPECT_FALSE(flag->isChecked());
    const QSignalSpy changed(&card, &InputCard::changed);
    int count = 0;
    const auto told = [&] { return changed.count() > std::exchange(count, static_cast<int>(changed.count())); };
    whole->setValue(6);
    EXPECT_TRUE(told());
    real->setValue(1.25);
    EXPECT_TRUE(told());
    choice->setCurrentIndex(2);
    EXPECT_TRUE(told());
    open->setCurrentIndex(1);
    EXPECT_TRUE(told());
    open->lineEdit()->setText("typed");
    QTest::keyClick(open->lineEdit(), Qt::Key_Return);
    EXPECT_TRUE(told());
    EXPECT_EQ(open->count(), 2) << "what is typed is not kept as a choice";
    flag->setChecked(true);
    EXPECT_TRUE(told());
    EXPECT_EQ(card.findChild<QSpinBox*>("whole"), whole);
    EXPECT_EQ(whole->accessibleName(), "Whole");
    EXPECT_EQ(gpuNames().at(gpuIndex("H200")), "H200");
    EXPECT_EQ(gpuIndex("no such card"), 0);
    EXPECT_EQ(blocksText(1), "1 block");
    EXPECT_EQ(blocksText(2), "2 blocks");
}

TEST(FlowLayouts, PlaceTheirItemsInOrder)
{
    QWidget host;
    auto* flow = new FlowLayout(&host, 10, 5);
    std::vector<QLabel*> labels;
    for (int i = 0; i < 3; ++i) {
        labels.push_back(new QLabel(&host));
        labels.back()->setFixedSize(100, 20 + 10 * i);
        flow->addWidget(labels.back());
    }
    host.show();
    flow->setGeometry({7, 3, 215, 100});
    EXPECT_EQ(labels[0]->pos(), QPoint(7, 3));
    EXPECT_EQ(labels[1]->pos(), QPoint(117, 3));
    EXPECT_EQ(labels[2]->pos(), QPoint(7, 3 + 30 + 5)) << "below the higher one of the line";
    EXPECT_EQ(flow->sizeHint(), QSize(320, 40)) << "in one line";
    EXPECT_EQ(flow->heightForWidth(215), 75);
    EXPECT_EQ(flow->minimumSize(), QSize(100, 40));
    EXPECT_EQ(flow->itemAt(3), nullptr);
    EXPECT_EQ(flow->itemAt(-1), nullptr);
    EXPECT_EQ(flow->takeAt(7), nullptr);
    const std::unique_ptr<QLayoutItem> taken(flow->takeAt(1));
    EXPECT_EQ(taken->widget(), labels[1]);
    EXPECT_EQ(flow->count(), 2);
    EXPECT_EQ(flow->itemAt(1)->widget(), labels[2]);
}

TEST(Reflows, ColumnsStandBelowOneAnotherWhereThereIsNoRoom)
{
    QWidget page;
    auto* whole = new QVBoxLayout(&page);
    auto* columns = new QHBoxLayout;
    auto* fixed = new QWidget(&page);
    fixed->setFixedWidth(200);
    auto* wide = new QWidget(&page);
    wide->setMinimumWidth(400);
    columns->addWidget(fixed);
    columns->addWidget(wide);
    whole->addLayout(columns);
    const Reflow reflow(columns, &page);
    page.resize(1000, 300);
    page.show();
    EXPECT_EQ(columns->direction(), QBoxLayout::LeftToRight);
    EXPECT_EQ(fixed->maximumWidth(), 200);
    page.resize(500, 300);
    QCoreApplication::processEvents();
    EXPECT_EQ(columns->direction(), QBoxLayout::TopToBottom);
    EXPECT_GT(fixed->maximumWidth(), 10000) << "as wide as the page";
    page.resize(1000, 300);
    QCoreApplication::processEvents();
    EXPECT_EQ(columns->direction(), QBoxLayout::LeftToRight);
    EXPECT_EQ(fixed->maximumWidth(), 200);
    auto* other = new QHBoxLayout;
    const Reflow late(other, &page, 1200);
    whole->addLayout(other);
    page.resize(1100, 300);
    QCoreApplication::processEvents();
    EXPECT_EQ(other->direction(), QBoxLayout::TopToBottom) << "though it would fit";
    page.resize(1200, 300);
    QCoreApplication::processEvents();
    EXPECT_EQ(other->direction(), QBoxLayout::LeftToRight);
}

TEST(Marks, HaveASignAWordAndAColorEach)
{
    const std::tuple<Mark, const char*, const char*, Token> marks[] = {
        {Mark::pass, "✓", "pass", Token::better},           {Mark::fail, "✕", "fail", Token::worse},
        {Mark::waived, "⊘", "waived", Token::waived},       {Mark::stale, "↻", "stale", Token::stale},
        {Mark::none, "–", "not evaluated", Token::neutral}, {Mark::running, "●", "in progress", Token::accent},
        {Mark::better, "▲", "faster", Token::better},       {Mark::worse, "▼", "slower", Token::worse}};
    for (const auto& [mark, sign, word, token] : marks) {
        EXPECT_EQ(markSign(mark), q(sign));
        EXPECT_EQ(markWord(mark), q(word));
        EXPECT_EQ(markToken(mark), token) << word;
    }
    EXPECT_EQ(chooseMark(CheckResult::pass), Mark::pass);
    EXPECT_EQ(chooseMark(CheckResult::fail), Mark::fail);
    EXPECT_EQ(chooseMark(CheckResult::skipped), Mark::none);
    EXPECT_EQ(chooseMark(GateResult::pass), Mark::pass);
    EXPECT_EQ(chooseMark(GateResult::fail), Mark::fail);
    MarkLabel label;
    const std::pair<Verdict, const char*> verdicts[] = {{Verdict::faster, "▲ faster"},
                                                        {Verdict::slower, "▼ slower"},
                                                        {Verdict::equivalent, "– equivalent"},
                                                        {Verdict::inconclusive, "– inconclusive"},
                                                        {Verdict::notComparable, "– not comparable"}};
    for (const auto& [verdict, text] : verdicts) {
        label.set(verdict);
        EXPECT_EQ(label.text(), q(text));
    }
}

TEST(OptionCards, HaveFactsAndOneAction)
{
    OptionCard card("Fix");
    const QSignalSpy activated(&card, &OptionCard::activated);
    EXPECT_TRUE(card.button()->isHidden()) << "without an action";
    card.addFact("speedup", "2.00×", Token::better);
    card.addFact("chance", "90 %");
    card.setText("text");
    card.setButton("Choose", true);
    EXPECT_FALSE(card.button()->isHidden());
    EXPECT_TRUE(card.button()->property("primary").toBool());
    card.button()->click();
    EXPECT_EQ(activated.count(), 1);
    QStringList texts;
    for (const QLabel* label : card.findChildren<QLabel*>())
        texts << label->text();
    EXPECT_EQ(texts.filter(q("2.00×")).size(), 1);
    EXPECT_EQ(texts.filter("90 %").size(), 1);
    card.setLocked("a rule");
    card.button()->click();
    EXPECT_EQ(activated.count(), 1);
    bool said = false;
    for (const QLabel* label : card.findChildren<QLabel*>())
        said = said || (label->text() == "a rule" && !label->isHidden());
    EXPECT_TRUE(said);
    card.setChosen(true);
    EXPECT_TRUE(card.property("chosen").toBool());
    card.setButton({}, false);
    EXPECT_TRUE(card.button()->isHidden());
}

TEST(Cards, HideWhatIsEmptyAndAreEmptiedWhole)
{
    Card card("Title");
    const auto labels = card.findChildren<QLabel*>();
    ASSERT_EQ(labels.size(), 2);
    EXPECT_FALSE(labels[0]->isHidden());
    EXPECT_TRUE(labels[1]->isHidden()) << "no caption";
    EXPECT_EQ(card.accessibleName(), "Title");
    card.setCaption("caption");
    EXPECT_FALSE(labels[1]->isHidden());
    card.setTitle({});
    EXPECT_TRUE(labels[0]->isHidden());
    card.setTone("accent");
    EXPECT_EQ(card.property("tone").toString(), "accent");
    auto* inner = new QHBoxLayout;
    QPointer<QLabel> first = new QLabel("first", &card), second = new QLabel("second", &card);
    card.body()->addWidget(first);
    card.body()->addLayout(inner);
    inner->addWidget(second);
    clearLayout(card.body());
    EXPECT_EQ(card.body()->count(), 0);
    EXPECT_TRUE(first->isHidden() && second->isHidden()) << "at once";
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_FALSE(first);
    EXPECT_FALSE(second) << "also in a layout of its own";
    QWidget column;
    fixColumn(&column, 321);
    EXPECT_EQ(column.maximumWidth(), 321);
}

TEST(CopyCards, CopyTheTextThatTheyShow)
{
    CopyCard card("Recipe", "recipe");
    card.setText("first\nsecond");
    card.setText("other\n");
    EXPECT_EQ(card.findChild<QPlainTextEdit*>("recipe")->toPlainText(), "other\n");
    card.findChild<QPushButton*>("recipeCopy")->click();
    EXPECT_EQ(QApplication::clipboard()->text(), "other\n");
}

TEST(Themes, AChoiceIsKeptAndTakesEffect)
{
    const std::unique_ptr<QToolButton> button(makeThemeMenu(nullptr));
    for (const auto& [name, choice] :
         {std::pair("dark", ThemeChoice::dark), {"auto", ThemeChoice::automatic}, {"light", ThemeChoice::light}}) {
        for (QAction* action : button->menu()->actions())
            if (action->objectName() == QLatin1String(name))
                action->trigger();
        EXPECT_EQ(Theme::instance().choice(), choice) << name;
        EXPECT_EQ(loadTheme(), choice) << name;
        EXPECT_EQ(themeChoiceFrom(QLatin1String(name)), choice);
    }
    EXPECT_EQ(Theme::instance().scheme(), Scheme::light);
    EXPECT_EQ(themeChoices().size(), 3U);
    EXPECT_EQ(themeChoices()[1].first, ThemeChoice::dark);
    QSettings().remove("theme");
    EXPECT_EQ(loadTheme(), ThemeChoice::automatic) << "nothing was chosen";
}

TEST(TabOrders, WithoutAFieldThereIsNone)
{
    QWidget window;
    auto* rows = new QVBoxLayout(&window);
    rows->addWidget(new QLabel("words", &window));
    auto* hidden = new QPushButton("hidden", &window);
    rows->addWidget(hidden);
    window.show();
    hidden->hide();
    EXPECT_FALSE(focusByLayout(&window, true));
    hidden->show();
    hidden->setEnabled(false);
    EXPECT_FALSE(focusByLayout(&window, true));
    hidden->setEnabled(true);
    hidden->setFocusPolicy(Qt::ClickFocus);
    EXPECT_FALSE(focusByLayout(&window, true)) << "only with the mouse";
    hidden->setFocusPolicy(Qt::StrongFocus);
    EXPECT_TRUE(focusByLayout(&window, true));
    EXPECT_EQ(window.focusWidget(), hidden);
    EXPECT_TRUE(focusByLayout(&window, false)) << "it alone, in a circle";
    EXPECT_EQ(window.focusWidget(), hidden);
}

QColor inkAt(const QTextDocument& document, int line, int column)
{
    QColor found;
    for (const QTextLayout::FormatRange& range : document.findBlockByNumber(line).layout()->formats())
        if (column >= range.start && column < range.start + range.length)
            found = range.format.foreground().color();
    return found;
}

TEST(CodeInks, AreThoseOfWordsNumbersAndComments)
{
    QTextDocument document(QStringLiteral(
        "  #include <a.h>\nx = threadIdx.x + 0x1F; // int\na /* one */ b /* two */ c\nint y = 1.5e-3f;\nz // /* not open\nint w;"));
    CodeColors colors(&document);
    colors.rehighlight();
    EXPECT_EQ(inkAt(document, 0, 3), color(Token::stale));
    EXPECT_EQ(inkAt(document, 1, 4), color(Token::waived)) << "of CUDA";
    EXPECT_FALSE(inkAt(document, 1, 0).isValid());
    EXPECT_EQ(inkAt(document, 1, 18), color(Token::worse)) << "a number";
    EXPECT_EQ(inkAt(document, 1, 24), color(Token::muted));
    EXPECT_EQ(inkAt(document, 1, 28), color(Token::muted)) << "int within a comment";
    EXPECT_EQ(inkAt(document, 2, 5), color(Token::muted));
    EXPECT_FALSE(inkAt(document, 2, 12).isValid()) << "between two comments";
    EXPECT_EQ(inkAt(document, 2, 17), color(Token::muted));
    EXPECT_FALSE(inkAt(document, 2, 24).isValid());
    EXPECT_EQ(inkAt(document, 3, 0), color(Token::accent));
    EXPECT_EQ(inkAt(document, 3, 14), color(Token::worse));
    document.setPlainText("/* open\nint a;");
    colors.rehighlight();
    EXPECT_EQ(inkAt(document, 1, 0), color(Token::muted));
    document.setPlainText("int a;\nint b;");
    colors.rehighlight();
    EXPECT_EQ(inkAt(document, 1, 0), color(Token::accent)) << "what was open before is not any more";
}

TEST(CodeViews, ALineThatAPersonChoosesIsToldOf)
{
    CodeView view;
    view.resize(400, 200);
    view.setCode("one\ntwo\nthree\n");
    view.show();
    QSignalSpy chosen(&view, &CodeView::lineChosen);
    QTextCursor cursor(view.document()->findBlockByNumber(1));
    view.setTextCursor(cursor);
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toInt(), 2) << "lines count from 1";
    view.setCode("four\nfive\n");
    view.showLine(2);
    EXPECT_EQ(view.textCursor().blockNumber(), 1);
    view.showLine(0);
    EXPECT_EQ(view.textCursor().blockNumber(), 0);
    EXPECT_EQ(chosen.count(), 1);
    view.setMarked(2);
    ASSERT_EQ(view.extraSelections().size(), 1);
    EXPECT_EQ(view.extraSelections()[0].cursor.blockNumber(), 1);
    view.setMarked(0);
    EXPECT_TRUE(view.extraSelections().empty());
    view.setMarked(99);
    EXPECT_TRUE(view.extraSelections().empty()) << "there is no such line";
    view.setHeat({{1, {0.5, "half"}}, {77, {0.5, "none"}}});
    ASSERT_EQ(view.extraSelections().size(), 1);
    EXPECT_EQ(view.extraSelections()[0].cursor.blockNumber(), 0);
    view.setHeat({});
    EXPECT_TRUE(view.extraSelections().empty());
    EXPECT_EQ(view.tipAt(5), "");
}

} // namespace
} // namespace kl::ui
