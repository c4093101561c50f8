// SPDX-License-Identifier: MIT
#include "ui/style/style_sheet.h"
#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/diff_view.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/option_card.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/saved_message.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/tab_order.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme_menu.h"
#include "ui/widgets/wheel_guard.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <memory>

namespace kl::ui {
namespace {

/// As a mouse does: downwards, over the middle of a widget.
void turnWheel(QWidget* over)
{
    const QPointF at = over->rect().center();
    QWheelEvent wheel(at, over->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&wheel); // one that was sent is handed to no parent
    qApp->notify(over, &wheel);
}

/// Takes the addresses that the desktop would open.
class Opener : public QTextBrowser {
protected:
    QVariant loadResource(int, const QUrl&) override { return QStringLiteral("opened"); }
};

TEST(SavedMessage, OpensTheFileOrItsFolder)
{
    Opener opener;
    QDesktopServices::setUrlHandler(QStringLiteral("file"), &opener, "setSource");
    QTemporaryDir folder;
    const QString path = folder.filePath("report.md");
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.close();
    const Message message = savedMessage("Saved.", path);
    ASSERT_EQ(message.buttons.size(), 2U);
    message.buttons[0].action();
    EXPECT_EQ(opener.source().toLocalFile(), path);
    message.buttons[1].action();
    EXPECT_EQ(opener.source().toLocalFile(), folder.path());
    QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
}

TEST(WheelGuard, ScrollsThePageAndChangesNoValueUnderThePointer)
{
    WheelGuard guard;
    qApp->installEventFilter(&guard);
    QScrollArea area;
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    auto* box = new QComboBox;
    box->addItems({"a", "b", "c"});
    auto* number = new QSpinBox;
    number->setValue(50);
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setValue(50);
    for (QWidget* widget : std::initializer_list<QWidget*>{box, number, slider})
        column->addWidget(widget);
    body->setMinimumHeight(2000);
    area.setWidget(body);
    area.resize(300, 300);
    area.show();
    int before = 0;
    for (QWidget* widget : std::initializer_list<QWidget*>{box, number, slider}) {
        EXPECT_NE(widget->focusPolicy(), Qt::WheelFocus) << "the wheel would give it the focus first";
        turnWheel(widget);
        EXPECT_GT(area.verticalScrollBar()->value(), before);
        before = area.verticalScrollBar()->value();
    }
    EXPECT_EQ(box->currentIndex(), 0);
    EXPECT_EQ(number->value(), 50);
    EXPECT_EQ(slider->value(), 50);
}

TEST(WheelGuard, AListInALongPageScrollsThePageUntilItIsClicked)
{
    WheelGuard guard;
    qApp->installEventFilter(&guard);
    QScrollArea area;
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    auto* code = new CodeView;
    code->setCode(QStringLiteral("int a;\n").repeated(40));
    auto* brief = new CodeView;
    brief->setCode(QStringLiteral("int a;"));
    for (CodeView* list : {code, brief}) {
        list->setFixedHeight(100);
        WheelGuard::letPageScroll(list);
        column->addWidget(list);
    }
    body->setFixedHeight(5000);
    area.setWidget(body);
    area.resize(300, 300);
    area.show();
    area.activateWindow();
    area.setFocus();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&area));
    QScrollBar* page = area.verticalScrollBar();
    const auto turned = [&](QWidget* over) {
        const int before = page->value();
        turnWheel(over);
        return page->value() > before;
    };
    EXPECT_TRUE(turned(code->viewport()));
    EXPECT_TRUE(turned(brief->viewport()));
    EXPECT_EQ(code->verticalScrollBar()->value(), 0);
    code->setFocus();
    EXPECT_FALSE(turned(code->viewport()));
    EXPECT_GT(code->verticalScrollBar()->value(), 0);
    code->verticalScrollBar()->setValue(code->verticalScrollBar()->maximum());
    EXPECT_TRUE(turned(code->viewport())) << "at its end";
    brief->setFocus();
    EXPECT_TRUE(turned(brief->viewport())) << "nothing to scroll in it";
}

TEST(WheelGuard, LeavesWhatHasTheFocusAlone)
{
    WheelGuard guard;
    qApp->installEventFilter(&guard);
    QSpinBox number;
    number.setValue(50);
    number.show();
    number.activateWindow();
    number.setFocus();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&number));
    ASSERT_TRUE(number.hasFocus());
    turnWheel(&number);
    EXPECT_EQ(number.value(), 49);
}

TEST(Labels, AKernelNameThatReadsLikeATagIsShownAsItIs)
{
    const std::unique_ptr<QLabel> label(makeLabel("void reduce<b>(float *)", TextRole::body));
    EXPECT_EQ(label->textFormat(), Qt::PlainText);
}

TEST(MessageBar, StaysUntilDismissed)
{
    MessageBar bar;
    bar.post({MessageLevel::error, "No profile", "permission denied", "grant it"});
    EXPECT_EQ(bar.count(), 1);
    EXPECT_FALSE(bar.isHidden());
    QTest::mouseClick(bar.findChild<QToolButton*>("dismiss"), Qt::LeftButton);
    EXPECT_EQ(bar.count(), 0);
    EXPECT_TRUE(bar.isHidden());
}

TEST(MessageBar, ShowsTheNewestThree)
{
    MessageBar bar;
    for (int i = 0; i < 5; ++i)
        bar.post({MessageLevel::info, QString::number(i), {}, {}});
    EXPECT_EQ(bar.count(), 3);
}

TEST(MessageBar, EachOfSeveralHasTheRoomThatItNeeds)
{
    QWidget page;
    page.resize(900, 600);
    MessageBar bar(&page);
    page.show();
    const QString text = QStringLiteral("All measurements of a report are in the database that is open, and stay there. ").repeated(3);
    for (int i = 0; i < 3; ++i) {
        Message message{MessageLevel::success, QString::number(i), text, {}, {}};
        if (i > 0)
            message.buttons = {{QStringLiteral("Open"), [] {}}, {QStringLiteral("Show in folder"), [] {}}};
        bar.post(message);
        QCoreApplication::processEvents();
    }
    const QFrame* above = nullptr;
    for (int i = 0; i < bar.layout()->count(); ++i) {
        const auto* frame = qobject_cast<const QFrame*>(bar.layout()->itemAt(i)->widget());
        const auto* label = frame->findChild<QLabel*>();
        EXPECT_GE(label->height(), label->heightForWidth(label->width())) << i;
        EXPECT_TRUE(frame->rect().contains(label->geometry())) << i;
        if (above) {
            EXPECT_GT(frame->geometry().top(), above->geometry().bottom()) << i;
        }
        above = frame;
    }
    EXPECT_TRUE(bar.rect().contains(above->geometry()));
    EXPECT_TRUE(page.rect().contains(bar.geometry()));
}

TEST(MessageBar, WordsAnError)
{
    const Message message =
        makeMessage(Error{.code = ErrorCode::refused, .message = "Profile first", .hint = "Choose a fix.", .where = "rule-1"}, "Not kept");
    EXPECT_EQ(message.level, MessageLevel::error);
    EXPECT_EQ(message.what, "Not kept");
    EXPECT_EQ(message.why, "Profile first");
    EXPECT_EQ(message.next, "Choose a fix.");
}

/// What the messages say, the newest first.
QStringList namesOf(const MessageBar& bar)
{
    QStringList names;
    for (int i = 0; i < bar.layout()->count(); ++i)
        names << bar.layout()->itemAt(i)->widget()->accessibleName().trimmed();
    return names;
}

TEST(MessageBar, TheOldestGivesWayAndTheNewestIsDismissedFirst)
{
    MessageBar bar;
    for (const char* what : {"first", "second", "third", "fourth"})
        bar.post({MessageLevel::error, what, {}, {}});
    EXPECT_EQ(namesOf(bar), (QStringList{"fourth", "third", "second"}));
    bar.dismissNewest();
    EXPECT_EQ(namesOf(bar), (QStringList{"third", "second"}));
}

TEST(MessageBar, AnotherPageLeavesWhatNeedsAttention)
{
    MessageBar bar;
    bar.post({MessageLevel::success, "saved", {}, {}});
    bar.post({MessageLevel::error, "failed", {}, {}});
    bar.clearSettled();
    EXPECT_EQ(namesOf(bar), (QStringList{"failed"}));
    bar.post({MessageLevel::warning, "slow", {}, {}});
    bar.post({MessageLevel::info, "stopped", {}, {}});
    bar.clearSettled();
    EXPECT_EQ(namesOf(bar), (QStringList{"slow", "failed"}));
}

TEST(MessageBar, WordsAreNoMarkup)
{
    MessageBar bar;
    bar.post({MessageLevel::error, "reduce<a>", "reduce<b>", "reduce<c>"});
    const auto* label = bar.findChild<QLabel*>();
    for (const char* name : {"reduce&lt;a&gt;", "reduce&lt;b&gt;", "reduce&lt;c&gt;"})
        EXPECT_TRUE(label->text().contains(name)) << label->text().toStdString();
}

TEST(MessageBar, WhatTheUserStoppedIsNoError)
{
    EXPECT_EQ(makeMessage(Error{.code = ErrorCode::interrupted, .message = "Stopped."}).level, MessageLevel::info);
    EXPECT_EQ(makeMessage(Error{.code = ErrorCode::needsConsent, .message = "Not allowed."}).level, MessageLevel::info);
    const Message bare = makeMessage(Error{.code = ErrorCode::badInput, .message = "Damaged", .where = "a.db"});
    EXPECT_EQ(bare.what, "Damaged");
    EXPECT_EQ(bare.why, "a.db");
}

TEST(TabOrder, FollowsTheLayoutsWhateverTheOrderOfCreation)
{
    QWidget window;
    auto* rows = new QVBoxLayout(&window);
    const auto add = [](QWidget* parent, const char* name) {
        auto* button = new QPushButton(parent);
        button->setObjectName(name);
        return button;
    };
    rows->addWidget(add(&window, "before"));
    auto* card = new QWidget(&window);
    rows->addWidget(card);
    QWidget* last = add(card, "last"); // made first, stands last
    rows->addWidget(add(&window, "after"));
    auto* inCard = new QVBoxLayout(card);
    auto* row = new QHBoxLayout;
    inCard->addLayout(row);
    row->addWidget(new QLabel("words", card));
    row->addWidget(add(card, "first"));
    auto* area = new QScrollArea(card); // what it holds is in no layout
    auto* box = new QWidget;
    auto* inBox = new QVBoxLayout(box);
    inBox->addWidget(add(box, "second"));
    inBox->addWidget(add(box, "disabled"));
    box->findChild<QWidget*>("disabled")->setEnabled(false);
    area->setWidget(box);
    area->setFocusPolicy(Qt::NoFocus);
    inCard->addWidget(area);
    inCard->addWidget(last);
    window.show();
    window.activateWindow();
    window.findChild<QWidget*>("before")->setFocus();
    QStringList order;
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(focusByLayout(&window, true));
        order << window.focusWidget()->objectName();
    }
    EXPECT_EQ(order, (QStringList{"first", "second", "last", "after", "before"}));
    ASSERT_TRUE(focusByLayout(&window, false));
    EXPECT_EQ(window.focusWidget()->objectName(), "after");
}

TEST(Buttons, EnterPressesThem)
{
    QWidget host; // no dialog
    QPushButton* button = makeButton("Run", false, &host);
    int pressed = 0;
    QObject::connect(button, &QPushButton::clicked, &host, [&] { ++pressed; });
    QTest::keyClick(button, Qt::Key_Return);
    QTest::keyClick(button, Qt::Key_Space);
    EXPECT_EQ(pressed, 2);
}

TEST(ReasonedButton, ADisabledButtonSaysWhyBesideIt)
{
    ReasonedButton button("Run");
    button.setReason("The sample is read-only.");
    EXPECT_FALSE(button.button()->isEnabled());
    bool said = false;
    for (const QLabel* label : button.findChildren<QLabel*>())
        said = said || (label->text() == "The sample is read-only." && !label->isHidden());
    EXPECT_TRUE(said);
    button.setReason({});
    EXPECT_TRUE(button.button()->isEnabled());
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
    EXPECT_EQ(MarkLabel(Mark::pass).text(), QString::fromUtf8("✓ pass"));
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
    const auto colorOf = [&](int line) {
        const QList<QTextLayout::FormatRange> formats = view.document()->findBlockByNumber(line).layout()->formats();
        return formats.isEmpty() ? QColor() : formats.front().format.foreground().color();
    };
    EXPECT_EQ(colorOf(0), color(Token::worse));
    EXPECT_EQ(colorOf(1), color(Token::better));
    EXPECT_FALSE(colorOf(2).isValid());
    view.setDiff({});
    EXPECT_TRUE(view.isHidden());
}

TEST(OptionCard, AnAddedLineIsDrawnAsBetter)
{
    OptionCard card("Change");
    card.setDiff("− a\n+ b");
    for (const QLabel* label : card.findChildren<QLabel*>())
        if (label->textFormat() == Qt::RichText) {
            const QStringList lines = label->text().split("<br>");
            ASSERT_EQ(lines.size(), 2);
            EXPECT_TRUE(lines[0].contains(color(Token::worse).name()));
            EXPECT_TRUE(lines[1].contains(color(Token::better).name()));
        }
}

TEST(ThemeMenu, TheThemeThatIsInUseIsChecked)
{
    const std::unique_ptr<QToolButton> button(makeThemeMenu(nullptr));
    emit button->menu()->aboutToShow();
    for (const QAction* action : button->menu()->actions())
        EXPECT_EQ(action->isChecked(), action->objectName() == "light") << action->objectName().toStdString();
}

TEST(Times, ArePlainInAnyForm)
{
    EXPECT_EQ(absoluteTime("2025-11-21T01:45:04.123Z"), "2025-11-21 01:45 UTC");
    EXPECT_EQ(absoluteTime("2025-11-21"), "2025-11-21");
    EXPECT_TRUE(whenMeasured(Source::sample, "2025-11-21T01:45:04.123Z").endsWith("2025-11-21")) << "an old date, not an age";
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

TEST(OptionCard, LockedShowsTheRule)
{
    OptionCard card("Stage the tile in shared memory");
    card.setButton("Choose", true);
    card.setLocked("rule 1: profile before optimizing");
    EXPECT_FALSE(card.button()->isEnabled());
    card.setLocked({});
    EXPECT_TRUE(card.button()->isEnabled());
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
