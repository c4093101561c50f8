// SPDX-License-Identifier: MIT
// Tables, code, heat, marks and states that pages are made of: that each shows what it was given last and does what it says.
#include "ui/style/theme.h"
#include "ui/widgets/code_colors.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/heat_map.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QTimer>

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
