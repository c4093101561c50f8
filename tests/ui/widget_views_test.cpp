// SPDX-License-Identifier: MIT
// Widgets that show something: tables, code, differences, names, marks and figures, and the states in which there is nothing.
#include "ui/style/style_sheet.h"
#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/diff_view.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QTimer>
#include <QVBoxLayout>
#include <memory>

namespace kl::ui {
namespace {

TEST(Labels, AKernelNameThatReadsLikeATagIsShownAsItIs)
{
    const std::unique_ptr<QLabel> label(makeLabel("void reduce<b>(float *)", TextRole::body));
    EXPECT_EQ(label->textFormat(), Qt::PlainText);
}

TEST(DataTable, RemembersTheWidthsOfADraggedColumnAndNoOthers)
{
    QStandardItemModel model(3, 3);
    model.setHorizontalHeaderLabels({"first", "second", "third"});
    const QString key = "tables/widths-test/header";
    QSettings().remove(key);
    {
        DataTable table("widths-test");
        table.setSource(&model);
        table.resize(500, 200);
        table.show();
        QPushButton tab; // one that shows a table is still held while its columns are fitted
        QTest::mousePress(&tab, Qt::LeftButton);
        table.setColumnWidth(0, 33);
        QTest::mouseRelease(&tab, Qt::LeftButton);
        EXPECT_FALSE(QSettings().contains(key));
        QWidget* header = table.horizontalHeader()->viewport();
        const int edge = table.columnWidth(0) - 1;
        QTest::mousePress(header, Qt::LeftButton, {}, {edge, 10});
        QTest::mouseMove(header, {edge + 60, 10});
        QMouseEvent drag(QEvent::MouseMove, QPointF(edge + 60, 10), header->mapToGlobal(QPointF(edge + 60, 10)), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(header, &drag);
        QTest::mouseRelease(header, Qt::LeftButton, {}, {edge + 60, 10});
        EXPECT_TRUE(QSettings().contains(key));
        EXPECT_EQ(table.columnWidth(0), 93);
    }
    DataTable again("widths-test");
    again.setSource(&model);
    EXPECT_EQ(again.columnWidth(0), 93);
    QSettings().remove(key);
}

TEST(DataTable, FocusFramesTheTableAndSelectionTheWholeRow)
{
    QStandardItemModel model(3, 3);
    model.setHorizontalHeaderLabels({"first", "second", "third"});
    DataTable table("frame-test");
    table.setSource(&model);
    table.resize(500, 200);
    table.show();
    table.setFocus();
    table.activateWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return table.hasFocus(); }));
    table.setCurrentIndex(table.model()->index(1, 0));
    const QImage image = table.grab().toImage();
    const QRgb accent = color(Token::accent).rgb();
    for (int y = 10; y < image.height() - 10; ++y) {
        EXPECT_EQ(image.pixel(0, y), accent) << "left side at " << y;
        EXPECT_EQ(image.pixel(image.width() - 1, y), accent) << "right side at " << y;
    }
    const int top = table.viewport()->mapTo(&table, QPoint(0, table.rowViewportPosition(1))).y();
    for (int column = 0; column < 3; ++column) {
        const int x = table.columnViewportPosition(column) + table.columnWidth(column) / 2;
        EXPECT_EQ(image.pixel(x, top), accent) << "the row's line in column " << column;
    }
}

TEST(DataTable, WithoutRowsThereIsRoomForTheWordsThatSaySo)
{
    QStandardItemModel model(0, 2);
    DataTable table("empty-test");
    table.setSource(&model);
    table.setGrowing(5);
    const int bare = table.maximumHeight();
    table.setEmptyText("none");
    EXPECT_GT(table.maximumHeight(), bare);
    model.appendRow(new QStandardItem("one"));
    table.setGrowing(5);
    EXPECT_EQ(table.maximumHeight(), bare + table.rowHeight(0));
}

/// Counts the texts that are asked for.
class LongTexts : public QAbstractTableModel {
public:
    static constexpr int kRows = 2000;
    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kRows; }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
    QVariant data(const QModelIndex& index, int role) const override
    {
        if (role != Qt::DisplayRole)
            return {};
        ++texts;
        return index.column() == 0 ? QStringLiteral("name") : QStringLiteral("a reason of many words ").repeated(20);
    }
    void reset()
    {
        beginResetModel();
        endResetModel();
    }
    mutable int texts = 0;
};

TEST(DataTable, RowsAreFittedOnceItHasASize)
{
    LongTexts model;
    QWidget page;
    auto* column = new QVBoxLayout(&page);
    auto* table = new DataTable("long-texts-test", &page);
    column->addWidget(table);
    table->setStretchColumn(1);
    table->setWrapped(true);
    table->setSource(&model);
    model.texts = 0;
    model.reset();
    EXPECT_LT(model.texts, LongTexts::kRows / 2) << "some, for the widths of columns";
    const int low = table->rowHeight(0);
    page.resize(400, 300);
    page.show();
    EXPECT_GT(table->rowHeight(0), low);
    EXPECT_EQ(table->rowHeight(LongTexts::kRows - 1), table->rowHeight(0));
}

TEST(DataTable, SpaceDoesTheSecondThingToARow)
{
    QStandardItemModel model(3, 1);
    DataTable table("second-test");
    table.setSource(&model);
    int row = -1;
    QObject::connect(&table, &DataTable::secondAction, &table, [&](int at) { row = at; });
    table.setCurrentIndex(table.model()->index(1, 0));
    QTest::keyClick(&table, Qt::Key_Space);
    EXPECT_EQ(row, -1) << "this table has none";
    table.setSecondAction("Add to Compare");
    QTest::keyClick(&table, Qt::Key_Space);
    EXPECT_EQ(row, 1);
}

TEST(DataTable, ALinkOpensItsRowWithOneClickAndOnlyOnce)
{
    QStandardItemModel model(3, 2);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 2; ++column)
            model.setData(model.index(row, column), QStringLiteral("%1 %2").arg(row).arg(column));
    DataTable table("link-test");
    table.setSource(&model);
    table.setLinkColumn(0, [](int row) { return row != 2; });
    table.resize(400, 200);
    table.show();
    QCoreApplication::processEvents();
    const QSignalSpy opened(&table, &DataTable::opened);
    const auto at = [&](int row, int column) { return table.visualRect(table.model()->index(row, column)).center(); };
    QWidget* cells = table.viewport();
    QTest::mouseClick(cells, Qt::LeftButton, {}, at(1, 1));
    QTest::mouseClick(cells, Qt::LeftButton, {}, at(2, 0));
    QTest::mouseClick(cells, Qt::LeftButton, Qt::ControlModifier, at(1, 0));
    EXPECT_EQ(opened.count(), 0) << "only links open, and with Ctrl they select";
    QTest::mouseClick(cells, Qt::LeftButton, {}, at(1, 0));
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toInt(), 1);
    QPushButton next; // what the page shows instead
    next.show();
    int pressed = 0;
    QObject::connect(&next, &QPushButton::clicked, &next, [&] { ++pressed; });
    QTest::mouseDClick(&next, Qt::LeftButton); // sends the second press alone
    EXPECT_EQ(pressed, 0);
    QTest::mouseClick(&next, Qt::LeftButton);
    EXPECT_EQ(pressed, 1) << "one of its own";
    EXPECT_EQ(opened.count(), 1);
    QTest::keyClick(&table, Qt::Key_Return);
    EXPECT_EQ(opened.count(), 2);
}

TEST(DataTable, ASortedTableActsOnTheRowThatIsShown)
{
    QStandardItemModel model;
    for (const int value : {30, 10, 20}) {
        auto* item = new QStandardItem(QString::number(value));
        item->setData(value, Qt::UserRole);
        model.appendRow(item);
    }
    DataTable table("sorted-test");
    table.setSource(&model);
    table.setSecondAction("Add to Compare");
    table.sortByColumn(0, Qt::AscendingOrder);
    table.resize(200, 200);
    table.show();
    const QSignalSpy chosen(&table, &DataTable::chosen), opened(&table, &DataTable::opened), second(&table, &DataTable::secondAction);
    const QPoint first = table.visualRect(table.model()->index(0, 0)).center();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, first);
    QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, first);
    QTest::keyClick(&table, Qt::Key_Space);
    QTest::keyClick(&table, Qt::Key_Return);
    ASSERT_GE(chosen.count(), 1);
    EXPECT_EQ(chosen.back()[0].toInt(), 1) << "10 is the second row of the source";
    ASSERT_EQ(opened.count(), 2);
    EXPECT_EQ(opened[0][0].toInt(), 1);
    EXPECT_EQ(opened[1][0].toInt(), 1);
    ASSERT_EQ(second.count(), 1);
    EXPECT_EQ(second[0][0].toInt(), 1);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text().split('\n').mid(1), QStringList{"10"}) << "the rows that are selected";
}

TEST(StateStack, AnEmptyStateAsksForNoMoreRoomThanItNeeds)
{
    QWidget page;
    auto* rows = new QVBoxLayout(&page);
    auto* content = new QWidget;
    auto* inContent = new QVBoxLayout(content);
    auto* words = new QLabel("A text over many lines. ");
    words->setWordWrap(true);
    inContent->addWidget(words);
    inContent->addSpacing(3000);
    auto* stack = new StateStack(content);
    rows->addWidget(stack);
    constexpr int kWidth = 600;
    const auto height = [&] { return rows->hasHeightForWidth() ? rows->totalHeightForWidth(kWidth) : rows->totalSizeHint().height(); };
    EXPECT_GT(height(), 3000);
    stack->showEmpty({"empty", "Nothing yet", "There is nothing to show.", {}, {}});
    EXPECT_LT(height(), 400);
    stack->showContent();
    EXPECT_GT(height(), 3000);
}

TEST(StateStack, HasOneActionInItsStates)
{
    StateStack stack(new QLabel("content"));
    EXPECT_TRUE(stack.showsContent());
    int clicks = 0;
    stack.showEmpty({"empty", "No runs yet", "none was made", "Run one", [&clicks] { ++clicks; }});
    EXPECT_FALSE(stack.showsContent());
    QTest::mouseClick(stack.findChild<QPushButton*>(), Qt::LeftButton);
    EXPECT_EQ(clicks, 1);
    stack.showError(Error{.code = ErrorCode::badInput, .message = "Damaged", .hint = "open another"});
    EXPECT_TRUE(stack.findChild<QPushButton*>()->isHidden());
    stack.showContent();
    EXPECT_TRUE(stack.showsContent());
}

TEST(StateStack, TheActionIsThatOfTheStateThatIsShown)
{
    StateStack stack(new QLabel("content"));
    int first = 0, second = 0;
    stack.showEmpty({"empty", "No runs", "none was made", "Run one", [&first] { ++first; }});
    stack.showEmpty({"empty", "No match", {}, "Clear", [&second] { ++second; }});
    stack.findChild<QPushButton*>()->click();
    EXPECT_EQ(first, 0);
    EXPECT_EQ(second, 1);
    stack.showEmpty({"empty", "Nothing", {}, {}, {}});
    EXPECT_TRUE(stack.findChild<QPushButton*>()->isHidden());
    stack.showLoading();
    stack.showContent();
    EXPECT_FALSE(stack.findChild<QTimer*>()->isActive()) << "what was loaded is not covered later";
}

TEST(Breakable, JoinsOfNamesMayEndALineAndFiguresStayWhole)
{
    EXPECT_EQ(breakable("dram__bytes.sum"), QStringLiteral("dram__\u200bbytes.\u200bsum"));
    EXPECT_EQ(breakable("47.6 to 47.9, version 2025.3.1"), "47.6 to 47.9, version 2025.3.1");
    EXPECT_EQ(unbroken(breakable("/opt/own_kernels/a.cu")), "/opt/own_kernels/a.cu");
}

TEST(Breakable, ALabelsTextIsCopiedWhole)
{
    const QString path("/opt/own_kernels/bin/train.py");
    const std::unique_ptr<QLabel> label(makeBreakableLabel(path, TextRole::caption));
    EXPECT_NE(label->text(), path);
    ASSERT_EQ(label->actions().size(), 1);
    label->actions().front()->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(), path);
    QTest::mouseClick(label.get(), Qt::LeftButton);
    label->setSelection(0, static_cast<int>(label->text().indexOf("bin")));
    label->actions().front()->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(), "/opt/own_kernels/");
}

TEST(MarkLabel, HasSignAndWord)
{
    EXPECT_EQ(MarkLabel(Mark::pass).text(), QString::fromUtf8("✓ ") + markWord(Mark::pass));
    EXPECT_EQ(MarkLabel(Mark::worse, "2 % slower").text(), QString::fromUtf8("▼ 2 % slower"));
    EXPECT_EQ(chooseMark(GateResult::fail, GateProgress::waived), Mark::waived);
    EXPECT_EQ(chooseMark(GateResult::pass, GateProgress::stale), Mark::stale);
    EXPECT_EQ(chooseMark(GateResult::unknown), Mark::none);
}

TEST(MarkLabel, AVerdictWithoutADirectionHasNone)
{
    EXPECT_EQ(chooseMark(Verdict::faster), Mark::better);
    EXPECT_EQ(chooseMark(Verdict::slower), Mark::worse);
    for (const Verdict verdict : {Verdict::equivalent, Verdict::inconclusive, Verdict::notComparable})
        EXPECT_EQ(chooseMark(verdict), Mark::none);
    EXPECT_EQ(chooseMark(GateResult::fail, GateProgress::running), Mark::running);
}

TEST(DiffView, ShowsTheDifferenceThatItGotLastInItsColors)
{
    DiffView view;
    view.setDiff("--- a\n+++ b\n-old\n+new\n same");
    view.setDiff("-older\n+newer\n same");
    EXPECT_TRUE(view.toPlainText().startsWith("-older"));
    const auto readColor = [&](int line) {
        const QList<QTextLayout::FormatRange> formats = view.document()->findBlockByNumber(line).layout()->formats();
        return formats.isEmpty() ? QColor() : formats.front().format.foreground().color();
    };
    EXPECT_EQ(readColor(0), color(Token::worse));
    EXPECT_EQ(readColor(1), color(Token::better));
    EXPECT_FALSE(readColor(2).isValid());
    view.setDiff({});
    EXPECT_TRUE(view.isHidden());
}

TEST(Times, ArePlainInAnyForm)
{
    EXPECT_EQ(absoluteTime("2025-11-21T01:45:04.123Z"), "2025-11-21 01:45 UTC");
    EXPECT_EQ(absoluteTime("2025-11-21"), "2025-11-21");
    EXPECT_TRUE(formatMeasuredTime(Source::sample, "2025-11-21T01:45:04.123Z").endsWith("2025-11-21")) << "an old date, not an age";
}

TEST(KeyFigure, SaysItsNameAndValue)
{
    KeyFigure figure("Best speedup");
    figure.set("1.27×", "this database");
    EXPECT_EQ(figure.accessibleName(), QString::fromUtf8("Best speedup: 1.27×, this database"));
    figure.set("0.40×", {}, Token::worse);
    bool colored = false;
    for (const QLabel* label : figure.findChildren<QLabel*>())
        colored = colored || (label->text() == q("0.40×") && label->property("token") == tokenName(Token::worse));
    EXPECT_TRUE(colored);
}

TEST(CodeView, WidensItsMarginForHotLines)
{
    CodeView view;
    view.setCode("__global__ void copy(const float* in, float* out)\n{\n    out[threadIdx.x] = in[threadIdx.x]; // one\n}\n");
    const int plain = view.marginWidth();
    view.setHeat({{3, {0.9, "hot"}}});
    EXPECT_GT(view.marginWidth(), plain);
    ASSERT_EQ(view.extraSelections().size(), 1);
    EXPECT_EQ(view.extraSelections().front().cursor.blockNumber(), 2);
    view.resize(400, 200);
    const int third = view.cursorRect(QTextCursor(view.document()->findBlockByNumber(2))).center().y();
    EXPECT_EQ(view.tipAt(third), "hot");
    EXPECT_EQ(view.tipAt(2), "");
    view.setMarked(2);
    EXPECT_EQ(view.extraSelections().size(), 2);
    const QSignalSpy chosen(&view, &CodeView::lineChosen);
    view.showLine(3);
    EXPECT_EQ(chosen.count(), 0) << "only a person chooses";
    EXPECT_EQ(view.textCursor().blockNumber(), 2);
    view.setCode("int other;\nint another;\n");
    EXPECT_EQ(view.marginWidth(), plain);
    EXPECT_TRUE(view.extraSelections().empty());
    EXPECT_TRUE(view.isReadOnly());
}

} // namespace
} // namespace kl::ui
