// SPDX-License-Identifier: MIT
// What widgets show of what they are given: sizes, shades, texts of margins, entries of menus, files that are chosen.
#include "core/base/format.h"
#include "tests/ui/support/file_answer.h"
#include "ui/jobs/job.h"
#include "ui/style/style_sheet.h"
#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/card.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/copy_card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/diff_view.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/heat_map.h"
#include "ui/widgets/input_card.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/option_card.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/tab_order.h"
#include "ui/widgets/tasks_tray.h"
#include "ui/widgets/text.h"
#include "ui/widgets/wheel_guard.h"

#include <gtest/gtest.h>

#include <QBuffer>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QSvgGenerator>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>

#include <atomic>
#include <functional>
#include <memory>

namespace kl::ui {
namespace {

TEST(BreakableNames, ALongWordBreaksAfterSixteen)
{
    const QString sixteen(16, u'a');
    EXPECT_EQ(breakable(sixteen), sixteen);
    EXPECT_EQ(breakable(sixteen + "bc"), sixteen + QChar(0x200b) + "bc");
    EXPECT_EQ(breakable("a:b,c=d<e/f"), q("a:\u200bb,\u200bc=\u200bd<\u200be/\u200bf"));
    EXPECT_EQ(breakable("a, b"), "a, b") << "a space is a place already";
    const std::unique_ptr<QLabel> caption(makeBreakableLabel("a", TextRole::caption));
    EXPECT_EQ(caption->property("token"), tokenName(Token::muted));
    const std::unique_ptr<QLabel> body(makeBreakableLabel("a", TextRole::body));
    EXPECT_FALSE(body->property("token").isValid());
    EXPECT_TRUE(body->wordWrap());
}

TEST(FixedColumns, AreAsWideAsTheirContentNeeds)
{
    QWidget column;
    auto* rows = new QVBoxLayout(&column);
    auto* wide = new QWidget(&column);
    wide->setMinimumWidth(500);
    rows->addWidget(wide);
    fixColumn(&column, 320);
    EXPECT_GE(column.minimumWidth(), 500);
    EXPECT_EQ(column.minimumWidth(), column.maximumWidth());
}

/// Texts that a widget paints.
QStringList textsPaintedBy(QWidget& widget)
{
    QBuffer bytes;
    QSvgGenerator drawing;
    drawing.setOutputDevice(&bytes);
    drawing.setSize(widget.size());
    QPainter painter(&drawing);
    widget.render(&painter);
    painter.end();
    QStringList texts;
    static const QRegularExpression element(QStringLiteral("<text[^>]*>([^<]*)</text>"));
    const QString svg = QString::fromUtf8(bytes.data());
    for (auto found = element.globalMatch(svg); found.hasNext();)
        texts << found.next().captured(1).trimmed();
    return texts;
}

TEST(CodeMargins, HaveTheNumbersAndSharesOfTheirLines)
{
    CodeView view;
    view.resize(500, 300);
    view.setCode("one\ntwo\nthree\nfour\n");
    view.setHeat({{2, {0.9, "hot"}}, {3, {0.05, "warm"}}});
    view.show();
    QCoreApplication::processEvents();
    const QStringList texts = textsPaintedBy(view);
    for (const char* text : {"1", "2", "3", "4", "90\u202f%", "5\u202f%"})
        EXPECT_TRUE(texts.contains(q(text))) << text << " is not in " << texts.join('|').toStdString();
    EXPECT_EQ(texts.filter("%").size(), 2) << "cold lines have no share";
    QWidget* margin = nullptr;
    for (QObject* child : view.children())
        if (auto* part = qobject_cast<QWidget*>(child); part && part->width() == view.marginWidth() && part->x() <= 2)
            margin = part;
    ASSERT_TRUE(margin);
    const int y = view.cursorRect(QTextCursor(view.document()->findBlockByNumber(1))).center().y();
    QHelpEvent help(QEvent::ToolTip, {5, y}, margin->mapToGlobal(QPoint(5, y)));
    QApplication::sendEvent(margin, &help);
    EXPECT_EQ(QToolTip::text(), "hot");
    QToolTip::hideText();
}

TEST(CodeMargins, GrowWithTheirNumbersAndShadesWithTheirShare)
{
    CodeView view;
    view.setCode("a\n");
    const int narrow = view.marginWidth();
    view.setCode(QString("a\n").repeated(98));
    EXPECT_EQ(view.marginWidth(), narrow) << "two digits are always there";
    view.setCode(QString("a\n").repeated(99));
    EXPECT_EQ(view.marginWidth(), narrow + view.fontMetrics().horizontalAdvance(u'9')) << "line 100";
    EXPECT_EQ(view.viewport()->x(), view.marginWidth() + view.frameWidth());
    const auto heat = [&] {
        view.setHeat({});
        const int numbers = view.marginWidth();
        view.setHeat({{1, {0.003, {}}}});
        return view.marginWidth() - numbers;
    };
    const int usual = heat();
    EXPECT_GT(usual, view.fontMetrics().horizontalAdvance(q(formatPercent(99.9))));
    QFont large = view.font();
    large.setPixelSize(40);
    view.setFont(large);
    EXPECT_GT(heat(), usual) << "its shares are texts";
    view.setHeat({{1, {0.5, {}}}, {2, {1, {}}}, {3, {7, {}}}});
    std::vector<double> shades;
    for (const QTextEdit::ExtraSelection& one : view.extraSelections())
        shades.push_back(one.format.background().color().alphaF());
    ASSERT_EQ(shades.size(), 3U);
    EXPECT_NEAR(shades[0], 0.11, 0.005);
    EXPECT_NEAR(shades[1], 0.22, 0.005);
    EXPECT_NEAR(shades[2], 0.22, 0.005) << "never stronger";
    view.setHeat({});
    view.setMarked(2);
    EXPECT_EQ(view.extraSelections()[0].format.background().color().rgb(), color(Token::accent).rgb());
    EXPECT_TRUE(view.extraSelections()[0].format.boolProperty(QTextFormat::FullWidthSelection));
}

TEST(TextBlocks, AreAsHighAsTheirLinesWithinLimits)
{
    CopyCard card("Recipe", "recipe");
    const auto* text = card.findChild<QPlainTextEdit*>("recipe");
    const auto height = [&](int lines) {
        card.setText(QString("a\n").repeated(lines));
        return text->maximumHeight();
    };
    EXPECT_EQ(height(0), height(1)) << "at least three lines";
    EXPECT_EQ(height(5) - height(4), text->fontMetrics().lineSpacing());
    EXPECT_EQ(height(14), height(100)) << "then it scrolls";
    EXPECT_LT(height(13), height(14));
    EXPECT_TRUE(text->isReadOnly());
    EXPECT_TRUE(text->tabChangesFocus());
    DiffView diff;
    EXPECT_TRUE(diff.isHidden());
    const auto high = [&](int lines) {
        diff.setDiff(QString("+a\n").repeated(lines - 1) + "+a");
        return diff.maximumHeight();
    };
    high(2); // which polishes it
    EXPECT_EQ(high(2), high(4));
    EXPECT_LT(high(4), high(5));
    EXPECT_EQ(high(24), high(90));
    EXPECT_FALSE(diff.isHidden());
    diff.setDiff("--- a\n+++ b\n@@ -1 +1 @@\n+c");
    for (const int line : {0, 1, 2}) {
        const auto formats = diff.document()->findBlockByNumber(line).layout()->formats();
        ASSERT_EQ(formats.size(), 1) << line;
        EXPECT_EQ(formats[0].format.foreground().color(), color(Token::muted)) << line;
    }
}

TEST(FileChoices, AreKeptForTheirPurpose)
{
    const QTemporaryDir folder, other;
    QFile(folder.filePath("a.json")).open(QIODevice::WriteOnly);
    QSettings().setValue("folders/one", other.path());
    QWidget parent;
    {
        const FileAnswer answer(folder.filePath("a.json"));
        EXPECT_EQ(chooseFile(&parent, "Choose", "Files (*.json)", "one"), folder.filePath("a.json"));
        EXPECT_EQ(answer.folder(), other.path());
        EXPECT_EQ(answer.filters(), QStringList{"Files (*.json)"});
    }
    EXPECT_EQ(lastFolder("one"), folder.path());
    EXPECT_NE(lastFolder("two"), folder.path()) << "another purpose";
    {
        const FileAnswer canceled{QString()};
        EXPECT_TRUE(chooseFile(&parent, "Choose", {}, "one").isEmpty());
    }
    EXPECT_EQ(lastFolder("one"), folder.path()) << "canceled";
    {
        const FileAnswer answer(folder.filePath("a.json"));
        EXPECT_EQ(chooseFiles(&parent, "Choose", {}, "two"), QStringList{folder.filePath("a.json")});
    }
    EXPECT_EQ(lastFolder("two"), folder.path());
    {
        const FileAnswer answer(other.filePath("new.db"));
        EXPECT_EQ(chooseNewFile(&parent, "Save", "proposed.db", {}, "two"), other.filePath("new.db"));
        EXPECT_EQ(answer.folder(), folder.path());
        EXPECT_EQ(answer.name(), "proposed.db");
    }
    EXPECT_EQ(lastFolder("two"), other.path());
    {
        const FileAnswer answer(folder.path());
        EXPECT_EQ(chooseFolder(&parent, "Folder", "three"), folder.path());
    }
    EXPECT_EQ(lastFolder("three"), folder.path()) << "the folder itself, not the one that it is in";
    QSettings().remove("folders");
}

TEST(HeatMapPictures, AreAsStrongAsTheirSamplesAndFrameWhatIsShown)
{
    HeatMap map;
    map.resize(16, 100);
    std::vector<std::int64_t> heat(10, 0);
    heat[2] = 50;
    heat[5] = 100;
    map.setHeat(heat);
    map.setShown(7, 2);
    const QImage image = map.grab().toImage();
    EXPECT_EQ(image.pixelColor(8, 55), color(Token::worse)) << "the hottest";
    EXPECT_NE(image.pixelColor(8, 25), color(Token::worse));
    EXPECT_NE(image.pixelColor(8, 25), color(Token::raised));
    EXPECT_EQ(image.pixelColor(8, 45), color(Token::raised));
    EXPECT_EQ(image.pixelColor(0, 75), color(Token::accent)) << "left side of the frame";
    EXPECT_EQ(image.pixelColor(8, 70), color(Token::accent)) << "its top";
    EXPECT_NE(image.pixelColor(0, 60), color(Token::accent));
    EXPECT_NE(image.pixelColor(0, 95), color(Token::accent));
}

TEST(InputFields, HaveTwoDecimalsAndNamesWithoutTheVendor)
{
    InputCard card("Inputs");
    const QDoubleSpinBox* real = card.addReal("real", "Real", 0, 10, 1.25, " µs");
    EXPECT_EQ(real->decimals(), 2);
    EXPECT_EQ(real->value(), 1.25);
    EXPECT_EQ(real->suffix(), q(" µs"));
    EXPECT_EQ(real->accessibleName(), "Real");
    EXPECT_TRUE(gpuNames().filter("NVIDIA").isEmpty());
    EXPECT_GT(gpuIndex("H200"), 0);
    EXPECT_EQ(blocksText(0), "0 blocks");
}

TEST(KeyFigures, ShowTheirLastNote)
{
    KeyFigure figure("Time");
    figure.set("5", "of before", Token::worse);
    figure.set("6", {});
    EXPECT_EQ(figure.accessibleName(), "Time: 6");
    QStringList texts;
    for (const QLabel* label : figure.findChildren<QLabel*>()) {
        texts << label->text();
        if (label->text() == "6") {
            EXPECT_EQ(label->property("token"), tokenName(Token::text)) << "not the color of before";
        }
    }
    EXPECT_FALSE(texts.contains("of before"));
    EXPECT_TRUE(texts.contains("Time"));
}

TEST(MessageLevels, AreTheColorsOfTheirBar)
{
    MessageBar bar;
    for (const auto& [level, name] : {std::pair(MessageLevel::error, "error"),
                                      {MessageLevel::warning, "warning"},
                                      {MessageLevel::success, "success"},
                                      {MessageLevel::info, "info"}}) {
        bar.post({level, "what", "why", "next"});
        const QWidget* newest = bar.layout()->itemAt(0)->widget();
        EXPECT_EQ(newest->property("level").toString(), QLatin1String(name));
        EXPECT_EQ(newest->accessibleName(), "what why next");
    }
    EXPECT_EQ(bar.count(), 3);
    bar.post({MessageLevel::info, "alone", {}, {}});
    EXPECT_FALSE(bar.layout()->itemAt(0)->widget()->findChild<QLabel*>()->text().contains(q("·"))) << "one part has no separator";
    const Message denied = makeMessage(Error{.code = ErrorCode::needsConsent, .message = "Not allowed.", .hint = "kloop trust"}, "Stopped");
    EXPECT_EQ(denied.what, "Stopped");
    EXPECT_EQ(denied.why, "Not allowed.");
    EXPECT_FALSE(denied.next.contains("kloop")) << "which is for the command line";
    EXPECT_FALSE(denied.next.isEmpty());
}

TEST(OptionTexts, AreMutedWhileLocked)
{
    OptionCard card("Fix");
    card.setText("text");
    const QLabel* text = nullptr;
    for (const QLabel* label : card.findChildren<QLabel*>())
        if (label->text() == "text")
            text = label;
    ASSERT_TRUE(text);
    EXPECT_FALSE(text->isHidden());
    card.setLocked("a rule");
    EXPECT_EQ(text->property("token"), tokenName(Token::muted));
    card.setLocked({});
    EXPECT_EQ(text->property("token"), tokenName(Token::text));
    card.setText({});
    EXPECT_TRUE(text->isHidden());
    card.setDiff("+ a<b>");
    const QLabel* diff = nullptr;
    for (const QLabel* label : card.findChildren<QLabel*>())
        if (label->textFormat() == Qt::RichText)
            diff = label;
    ASSERT_TRUE(diff);
    EXPECT_TRUE(diff->text().contains("a&lt;b&gt;")) << "code is not markup";
    EXPECT_FALSE(diff->isHidden());
    card.setDiff({});
    EXPECT_TRUE(diff->isHidden());
}

TEST(ReasonedButtons, TellOfAClickAndTheirReason)
{
    ReasonedButton button("Run", true);
    const QSignalSpy clicked(&button, &ReasonedButton::clicked);
    EXPECT_TRUE(button.button()->property("primary").toBool());
    button.button()->click();
    EXPECT_EQ(clicked.count(), 1);
    button.setReason("no GPU");
    EXPECT_EQ(button.button()->accessibleDescription(), "no GPU");
    button.button()->click();
    EXPECT_EQ(clicked.count(), 1);
    button.setReason({});
    EXPECT_TRUE(button.button()->accessibleDescription().isEmpty());
    button.setText("Run again");
    EXPECT_EQ(button.button()->text(), "Run again");
    button.setReason("no GPU");
    button.setReasonBelow();
    button.resize(300, 200);
    button.show();
    QCoreApplication::processEvents();
    EXPECT_GT(button.findChild<QLabel*>()->y(), button.button()->geometry().bottom());
    const std::unique_ptr<QPushButton> link(makeLinkButton("Open"));
    EXPECT_TRUE(link->property("flat").toBool());
    EXPECT_FALSE(link->property("primary").toBool());
}

TEST(StatePanels, AreReadAloudAndHideWhatIsEmpty)
{
    StateStack stack(new QLabel("content"));
    stack.showEmpty({"empty", "Nothing", "none was made", {}, {}});
    EXPECT_EQ(stack.widget(2)->accessibleName(), "Nothing none was made");
    stack.showEmpty({"empty", "Nothing", {}, "Do", {}});
    int empty = 0;
    for (const QLabel* label : stack.widget(2)->findChildren<QLabel*>())
        empty += label->text().isEmpty() && label->pixmap().isNull() && !label->isHidden();
    EXPECT_EQ(empty, 0);
    stack.findChild<QPushButton*>("stateAction")->click();
    EXPECT_EQ(stack.currentIndex(), 2) << "a state whose button does nothing";
    stack.showContent();
    EXPECT_EQ(stack.sizeHint(), stack.widget(0)->sizeHint());
}

TEST(TabOrderScrolling, BringsTheFieldIntoSight)
{
    QWidget window;
    auto* rows = new QVBoxLayout(&window);
    auto* first = new QPushButton("first", &window);
    rows->addWidget(first);
    auto* area = new QScrollArea(&window);
    area->setFocusPolicy(Qt::NoFocus);
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->addSpacing(2000);
    auto* last = new QPushButton("last", body);
    column->addWidget(last);
    area->setWidget(body);
    rows->addWidget(area);
    window.resize(300, 300);
    window.show();
    window.activateWindow();
    first->setFocus();
    ASSERT_TRUE(focusByLayout(&window, true));
    EXPECT_EQ(window.focusWidget(), last);
    EXPECT_GT(area->verticalScrollBar()->value(), 1000);
}

/// A tray with one job that reported this.
void withProgress(const Progress& progress, const std::function<void(const QProgressBar& bar, const QString& words)>& look)
{
    TasksTray tray;
    BackgroundJob job;
    std::atomic<bool> reported = false;
    job.start(
        "Work",
        [&](const Job& handle) {
            handle.progress(progress);
            reported = true;
            while (!handle.stop.stop_requested())
                QThread::msleep(1);
            return 0;
        },
        [](int) {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return reported && job.lastProgress().elapsed == progress.elapsed; }, 60000));
    ASSERT_EQ(tray.count(), 1);
    look(*tray.findChild<QProgressBar*>(), tray.findChild<QLabel*>()->text());
    job.start(
        "Other work", [](const Job&) { return 0; }, [](int) {});
    EXPECT_EQ(tray.count(), 1) << "the job that replaces it has its row";
    ASSERT_TRUE(waitForJobs());
}

TEST(TasksTrayBars, KnowHowFarTheyAreOrSayThatTheyDoNot)
{
    Progress progress;
    progress.elapsed = 30;
    progress.expected = 20;
    withProgress(progress, [](const QProgressBar& bar, const QString& words) {
        EXPECT_EQ(bar.value(), 1000) << "longer than expected";
        EXPECT_EQ(words.split(q(" · ")).size(), 2) << "no step has a name";
    });
    progress.expected.reset();
    withProgress(progress, [](const QProgressBar& bar, const QString& words) {
        EXPECT_EQ(bar.maximum(), 0) << "it moves without an end";
        EXPECT_FALSE(words.contains('~'));
    });
    progress.expected = 0;
    withProgress(progress, [](const QProgressBar& bar, const QString&) { EXPECT_EQ(bar.maximum(), 0); });
}

TEST(ShownTimes, OfRunsMeasuredHereAreAges)
{
    const std::string old = "2025-11-21T01:45:04.123Z";
    EXPECT_EQ(formatMeasuredTime(Source::live, old), relative(old));
    EXPECT_EQ(formatMeasuredTime(Source::import, old), relative(old));
    EXPECT_NE(formatMeasuredTime(Source::sample, old), relative(old));
    EXPECT_EQ(spaceProblem("M=64,N=32"), "M=64, N=32");
}

TEST(WheelOverTabs, ScrollsThePage)
{
    WheelGuard guard;
    qApp->installEventFilter(&guard);
    QTabBar tabs;
    tabs.addTab("a");
    tabs.addTab("b");
    tabs.show();
    const QPointF at = tabs.rect().center();
    QWheelEvent wheel(at, tabs.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&tabs, &wheel);
    EXPECT_EQ(tabs.currentIndex(), 0);
    QScrollArea list;
    WheelGuard::letPageScroll(&list);
    EXPECT_EQ(list.focusPolicy(), Qt::StrongFocus);
}

class TableMenus : public testing::Test {
protected:
    void SetUp() override
    {
        for (const char* text : {"first", "second"})
            model.appendRow(new QStandardItem(QString::fromLatin1(text)));
        table.setSource(&model);
        table.resize(300, 200);
        table.show();
    }
    /// Opens the menu and presses the entry at this place; the texts of all.
    QStringList open(int press)
    {
        QStringList texts;
        QTimer answering;
        QObject::connect(&answering, &QTimer::timeout, &answering, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (!menu)
                return;
            answering.stop();
            for (const QAction* action : menu->actions())
                texts << action->text();
            if (QAction* action = menu->actions().value(press))
                action->trigger();
            menu->close();
        });
        answering.start(5);
        QContextMenuEvent event(QContextMenuEvent::Mouse, {10, 10}, table.mapToGlobal(QPoint(10, 10)));
        QApplication::sendEvent(table.viewport(), &event);
        return texts;
    }
    QStandardItemModel model{0, 1};
    DataTable table{"menu-test"};
};

TEST_F(TableMenus, DoWhatTheKeysDo)
{
    const QSignalSpy opened(&table, &DataTable::opened), second(&table, &DataTable::secondAction);
    EXPECT_EQ(open(-1).size(), 1) << "without a row it is only copied";
    table.selectRow(1);
    EXPECT_EQ(open(0).size(), 2);
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toInt(), 1);
    table.setSecondAction("Add to Compare");
    const QStringList texts = open(1);
    ASSERT_EQ(texts.size(), 3);
    EXPECT_EQ(texts[1], "Add to Compare");
    ASSERT_EQ(second.count(), 1);
    EXPECT_EQ(second[0][0].toInt(), 1);
    open(2);
    EXPECT_TRUE(QApplication::clipboard()->text().endsWith("\nsecond"));
    EXPECT_EQ(opened.count(), 1);
}

TEST(TableWidths, AreThoseOfTheirContentUpToALimit)
{
    QStandardItemModel model(1, 2);
    model.setHorizontalHeaderLabels({"a", "b"});
    model.setItem(0, 0, new QStandardItem(QString(200, u'w')));
    DataTable table("widest-test");
    table.setWidestColumn(150);
    table.setSource(&model);
    EXPECT_EQ(table.columnWidth(0), 150);
    model.setItem(0, 0, new QStandardItem("w"));
    table.setWidestColumn(400);
    model.insertRow(0);
    model.setItem(0, 0, new QStandardItem("www"));
    emit model.layoutChanged();
    EXPECT_EQ(table.verticalHeader()->isVisible(), false);
    EXPECT_EQ(table.selectionBehavior(), QAbstractItemView::SelectRows);
}

TEST(TableRows, AreHigherWhereTheStretchedTextWraps)
{
    QStandardItemModel model(3, 2);
    model.setItem(0, 0, new QStandardItem("short"));
    model.setItem(1, 0, new QStandardItem(QString("many words ").repeated(30)));
    model.setItem(2, 0, new QStandardItem("two\nlines\nthree\nfour"));
    DataTable table("wrap-test");
    table.setStretchColumn(0);
    table.setSource(&model);
    table.resize(300, 300);
    table.show();
    EXPECT_EQ(table.rowHeight(0), table.rowHeight(1));
    table.setWrapped(true);
    EXPECT_EQ(table.rowHeight(0), 28);
    EXPECT_GT(table.rowHeight(1), 28);
    EXPECT_GT(table.rowHeight(2), 28) << "it is short, but of several lines";
    const int narrow = table.rowHeight(1);
    table.resize(900, 300);
    QCoreApplication::processEvents();
    EXPECT_LT(table.rowHeight(1), narrow);
}

TEST(TableLinks, HaveTheColorOfLinksWhereTheyOpenSomething)
{
    QStandardItemModel model(2, 1);
    const QString block(3, QChar(0x2588)); // letters without edges
    for (int row = 0; row < 2; ++row)
        model.setItem(row, 0, new QStandardItem(block));
    DataTable table("link-color-test");
    table.setSource(&model);
    table.setLinkColumn(0, [](int row) { return row == 1; });
    table.resize(200, 150);
    table.show();
    QCoreApplication::processEvents();
    const QImage image = table.viewport()->grab().toImage();
    const auto linked = [&](int row) {
        const QRect cell = table.visualRect(table.model()->index(row, 0));
        for (int x = cell.left() + 4; x < cell.left() + 30; ++x)
            if (image.pixelColor(x, cell.center().y()) == color(Token::accent))
                return true;
        return false;
    };
    EXPECT_FALSE(linked(0));
    EXPECT_TRUE(linked(1));
}

TEST(CodeViewLines, AreToldOfAgainAfterTheProgramMovedTheCursor)
{
    CodeView view;
    view.setCode("one\ntwo\nthree\n");
    view.showLine(2);
    const QSignalSpy chosen(&view, &CodeView::lineChosen);
    view.setTextCursor(QTextCursor(view.document()->findBlockByNumber(2)));
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toInt(), 3);
}

} // namespace
} // namespace kl::ui
