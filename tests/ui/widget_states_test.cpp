// SPDX-License-Identifier: MIT
// Widgets and forms in the states after the first one: another text, another title, another kind, the end of work.
#include "core/base/error.h"
#include "kernels/baseline_choice.h"
#include "kernels/catalog.h"
#include "tests/support/set_variable.h"
#include "tests/ui/support/in_language.h"
#include "tests/ui/support/own_database.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/context/remembered.h"
#include "ui/pages/calculate_page.h"
#include "ui/pages/kernels/baseline_box.h"
#include "ui/pages/page.h"
#include "ui/style/text_label.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/diff_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/tab_room.h"
#include "ui/widgets/text.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/window/place_menu.h"
#include "ui/window/preferences/plan_thresholds_form.h"
#include "ui/window/preferences/value_table.h"
#include "ui/window/shortcut_sheet.h"
#include "ui/window/tools/tool_dialog.h"
#include "ui/window/window_actions.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QGridLayout>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableWidget>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QTimer>
#include <QWheelEvent>

namespace kl::ui {
namespace {

TEST(DiffStates, HeadsAreNeitherAddedNorRemovedAndTheHeightIsBounded)
{
    DiffView view;
    EXPECT_TRUE(view.isHidden());
    EXPECT_TRUE(view.isReadOnly());
    view.setDiff("--- a/kernel.cu\n+++ b/kernel.cu\n@@ -1,2 +1,2 @@\n-old\n+new\n same");
    const auto readColor = [&](int line) {
        const QList<QTextLayout::FormatRange> formats = view.document()->findBlockByNumber(line).layout()->formats();
        return formats.isEmpty() ? QColor() : formats.front().format.foreground().color();
    };
    for (const int head : {0, 1, 2})
        EXPECT_EQ(readColor(head), color(Token::muted)) << head;
    EXPECT_EQ(readColor(3), color(Token::worse));
    EXPECT_EQ(readColor(4), color(Token::better));
    EXPECT_FALSE(readColor(5).isValid());
    EXPECT_FALSE(view.isHidden());
    const auto measureHeight = [&](int lines) {
        view.setDiff(QStringLiteral("+a\n").repeated(lines - 1) + "+a");
        return view.maximumHeight();
    };
    const int line = QFontMetrics(view.font()).lineSpacing();
    EXPECT_EQ(measureHeight(1), measureHeight(4)) << "four at least";
    EXPECT_EQ(measureHeight(5) - measureHeight(4), line);
    EXPECT_EQ(measureHeight(24) - measureHeight(23), line);
    EXPECT_EQ(measureHeight(60), measureHeight(24)) << "more are scrolled to";
}

TEST(CardStates, ACardIsReadAloudByItsLastTitle)
{
    Card card("First");
    card.setTitle("Second");
    EXPECT_EQ(card.accessibleName(), "Second");
    EXPECT_EQ(card.title(), "Second");
    card.setTitle({});
    EXPECT_EQ(card.accessibleName(), "Second") << "one without a title keeps its name";
    EXPECT_TRUE(card.title().isEmpty());
    card.setCaption("caption");
    card.setCaption({});
    for (const QLabel* label : card.findChildren<QLabel*>())
        EXPECT_TRUE(label->isHidden());
    EXPECT_EQ(makeHairline(&card)->maximumHeight(), 1);
}

TEST(TextLabelStates, ItsSizesAreThoseOfItsTextFontAndWrapping)
{
    TextLabel label(QStringLiteral("word"));
    label.setWordWrap(true);
    const int low = label.heightForWidth(80);
    label.setText(QStringLiteral("many words that take several lines of so narrow a place"));
    const int high = label.heightForWidth(80);
    EXPECT_GT(high, low);
    label.setText(QStringLiteral("word"));
    EXPECT_EQ(label.heightForWidth(80), low);
    QFont large = label.font();
    large.setPixelSize(40);
    const QSize before = label.minimumSizeHint();
    label.setFont(large);
    EXPECT_GT(label.heightForWidth(80), low);
    EXPECT_GT(label.minimumSizeHint().width(), before.width());
    label.setWordWrap(false);
    label.setText(QStringLiteral("a text"));
    const QSize hint = label.sizeHint(), least = label.minimumSizeHint();
    label.setText(QStringLiteral("a text that is much longer"));
    EXPECT_GT(label.sizeHint().width(), hint.width());
    EXPECT_GT(label.minimumSizeHint().width(), least.width());
    label.setMargin(10);
    const int wide = label.sizeHint().width();
    label.setMargin(0);
    EXPECT_LT(label.sizeHint().width(), wide);
}

TEST(TextLabelStates, AClickLetsItBeSelectedWhereNothingElseWasChosen)
{
    TextLabel plain(QStringLiteral("words")), fixed(QStringLiteral("words"));
    fixed.setTextInteractionFlags(Qt::NoTextInteraction);
    for (TextLabel* label : {&plain, &fixed}) {
        label->show();
        EXPECT_EQ(label->cursor().shape(), Qt::IBeamCursor);
        QTest::mouseMove(label, QPoint(2, 2));
        EXPECT_FALSE(label->textInteractionFlags() & Qt::TextSelectableByMouse) << "before it is clicked";
        QTest::mouseClick(label, Qt::LeftButton, {}, QPoint(2, 2));
    }
    EXPECT_TRUE(plain.textInteractionFlags() & Qt::TextSelectableByMouse);
    EXPECT_FALSE(fixed.textInteractionFlags() & Qt::TextSelectableByMouse);
}

TEST(IconStates, ALockedOneIsMutedAndAnotherColorIsAnotherIcon)
{
    const auto readColor = [](const QIcon& shown, QIcon::Mode mode) {
        const QImage image = shown.pixmap(QSize(32, 32), 1.0, mode).toImage();
        QColor strongest(Qt::transparent);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (const QColor here = image.pixelColor(x, y); here.alpha() > strongest.alpha())
                    strongest = here;
        return strongest;
    };
    const auto near = [](const QColor& ink, Token token) {
        const QColor wanted = color(token);
        return std::abs(ink.red() - wanted.red()) < 8 && std::abs(ink.green() - wanted.green()) < 8 &&
               std::abs(ink.blue() - wanted.blue()) < 8;
    };
    EXPECT_TRUE(near(readColor(icon("home", Token::accent), QIcon::Normal), Token::accent));
    EXPECT_TRUE(near(readColor(icon("home", Token::accent), QIcon::Disabled), Token::muted));
    EXPECT_TRUE(near(readColor(icon("home", Token::worse), QIcon::Normal), Token::worse));
    EXPECT_TRUE(near(readColor(icon("home", Token::accent), QIcon::Normal), Token::accent)) << "drawn before";
    EXPECT_NE(icon("home").pixmap(24, 24).toImage(), icon("history").pixmap(24, 24).toImage());
    EXPECT_EQ(icon("home").pixmap(64, 64).width(), 64);
}

TEST(NumberBoxStates, APointIsADecimalMarkInEveryLanguage)
{
    const auto typed = [](const char* keys) {
        NumberBox box;
        box.setRange(0, 1000);
        box.setDecimals(2);
        box.show();
        box.selectAll();
        QTest::keyClicks(&box, QString::fromLatin1(keys));
        return box.value();
    };
    EXPECT_EQ(typed("1.5"), 1.5);
    const InGerman german;
    EXPECT_EQ(typed("1.5"), 1.5);
    EXPECT_EQ(typed("2,5"), 2.5);
    EXPECT_EQ(typed("15"), 15);
}

TEST(StackStates, WhatComesLastIsShownAndNotCovered)
{
    StateStack stack(new QLabel("content"));
    auto* patience = stack.findChild<QTimer*>();
    EXPECT_TRUE(patience->isSingleShot());
    stack.showLoading();
    stack.showContent();
    EXPECT_FALSE(patience->isActive());
    EXPECT_TRUE(stack.showsContent());
    stack.showLoading();
    stack.showError(Error{.code = ErrorCode::badInput, .message = "Damaged"});
    EXPECT_FALSE(patience->isActive());
    EXPECT_EQ(stack.currentIndex(), 2);
    QImage error, unavailable;
    for (const QLabel* label : stack.widget(2)->findChildren<QLabel*>())
        if (!label->pixmap().isNull())
            error = label->pixmap().toImage();
    stack.showUnavailable("No GPU", {});
    for (const QLabel* label : stack.widget(2)->findChildren<QLabel*>())
        if (!label->pixmap().isNull())
            unavailable = label->pixmap().toImage();
    EXPECT_FALSE(error.isNull());
    EXPECT_NE(error, unavailable) << "each has its own icon";
    EXPECT_TRUE(stack.findChild<QPushButton*>("stateAction")->isHidden()) << "there is nothing to do";
    stack.showError(Error{.code = ErrorCode::badInput, .message = "Damaged"}, [] {});
    EXPECT_FALSE(stack.findChild<QPushButton*>("stateAction")->isHidden());
    EXPECT_FALSE(stack.findChild<QPushButton*>("stateAction")->text().isEmpty());
}

TEST(WheelStates, AFieldWithTheFocusTakesTheWheelAndOtherWidgetsAlways)
{
    WheelGuard guard;
    QWidget window;
    QComboBox box(&window);
    QPushButton button(&window);
    window.show();
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    const auto held = [&](QWidget& widget) {
        const QPointF at = widget.rect().center();
        QWheelEvent wheel(at, widget.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        return guard.eventFilter(&widget, &wheel);
    };
    button.setFocus();
    EXPECT_TRUE(held(box));
    EXPECT_FALSE(held(button)) << "it has no value";
    box.setFocus();
    EXPECT_FALSE(held(box)) << "the user chose it";
    QTabBar tabs(&window);
    EXPECT_TRUE(held(tabs));
    QScrollArea list(&window);
    EXPECT_FALSE(held(*list.viewport())) << "it scrolls by itself";
    WheelGuard::letPageScroll(&list);
    EXPECT_TRUE(held(*list.viewport()));
    QEvent polish(QEvent::Polish);
    box.setFocusPolicy(Qt::WheelFocus);
    EXPECT_FALSE(guard.eventFilter(&box, &polish));
    EXPECT_EQ(box.focusPolicy(), Qt::StrongFocus);
    tabs.setFocusPolicy(Qt::TabFocus);
    guard.eventFilter(&tabs, &polish);
    EXPECT_EQ(tabs.focusPolicy(), Qt::TabFocus) << "the wheel never gave it the focus";
}

TEST(TabRooms, AreWhereTheTabsWillBe)
{
    QTabWidget tabs;
    QWidget* room = tabRoom(tabs);
    ASSERT_NE(room, nullptr);
    auto* page = new QWidget(room);
    tabs.addTab(page, "a");
    EXPECT_EQ(page->parentWidget(), room) << "it did not move";
}

TEST(ScrollingBodies, ScrollBothWaysWhereTheWindowIsTooSmall)
{
    QWidget page;
    auto* column = new QVBoxLayout;
    QScrollArea* area = makeScrollingBody(&page, column);
    auto* large = new QWidget(area->widget());
    large->setMinimumSize(900, 900);
    column->addWidget(large);
    page.resize(300, 300);
    page.show();
    QCoreApplication::processEvents();
    EXPECT_GT(area->horizontalScrollBar()->maximum(), 0);
    EXPECT_GT(area->verticalScrollBar()->maximum(), 0);
    EXPECT_TRUE(area->horizontalScrollBar()->isVisible());
    page.resize(1200, 1200);
    QCoreApplication::processEvents();
    EXPECT_EQ(area->horizontalScrollBar()->maximum(), 0);
    EXPECT_GT(large->width(), 1000) << "the body grows with the page";
    EXPECT_EQ(area->widget()->objectName(), "pageBody");
}

TEST(BaselineBoxes, OfferAChoiceWhereThereIsOne)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    QComboBox box;
    std::set<std::size_t> counts;
    for (const KernelFamily& family : catalog->families()) {
        const std::vector<std::string> names = baselineNames(family);
        fillBaselines(box, family);
        EXPECT_EQ(box.count(), static_cast<int>(names.size()) + 2) << family.id;
        EXPECT_EQ(box.isHidden(), names.size() < 2) << family.id;
        EXPECT_TRUE(readBaselines(box).empty()) << "the default one";
        for (std::size_t i = 0; i < names.size(); ++i) {
            box.setCurrentIndex(static_cast<int>(i) + 1);
            EXPECT_EQ(readBaselines(box), std::vector<std::string>{names[i]});
        }
        box.setCurrentIndex(box.count() - 1);
        EXPECT_EQ(readBaselines(box), std::vector<std::string>{"all"});
        counts.insert(names.size());
    }
    KernelFamily two = **catalog->family("attention");
    ASSERT_GE(two.baselines.size(), 2U);
    while (baselineNames(two).size() > 2)
        two.baselines.pop_back();
    ASSERT_EQ(baselineNames(two).size(), 2U);
    fillBaselines(box, two);
    EXPECT_FALSE(box.isHidden()) << "two are a choice";
    EXPECT_EQ(box.count(), 4);
}

class FormStates : public OwnDatabase {
protected:
    const std::string path = folder.path().string();
    support::SetVariable config{"XDG_CONFIG_HOME", path.c_str()};
    support::SetVariable data{"XDG_DATA_HOME", path.c_str()};
};

TEST_F(FormStates, CalculatorsAreAllShownWhereThereIsRoomAndOneElsewhere)
{
    CalculatePage page(*context);
    const char* names[] = {"shared-memory", "occupancy", "memory", "launches"};
    const auto shown = [&] {
        QCoreApplication::processEvents();
        QStringList visible;
        for (const char* name : names)
            if (page.findChild<QWidget*>(QString::fromLatin1(name))->isVisible())
                visible << name;
        return visible;
    };
    page.resize(1200, 800);
    page.show();
    EXPECT_EQ(shown(), QStringList{"shared-memory"});
    page.open("memory");
    EXPECT_EQ(shown(), QStringList{"memory"});
    page.open("no-such-calculator");
    EXPECT_EQ(shown(), QStringList{"memory"});
    page.resize(2200, 1200);
    EXPECT_EQ(shown().size(), 4);
    const auto at = [&](const char* name) { return page.findChild<QWidget*>(QString::fromLatin1(name))->mapTo(&page, QPoint()); };
    EXPECT_LT(at("shared-memory").x(), at("occupancy").x());
    EXPECT_LT(at("shared-memory").y(), at("memory").y());
    EXPECT_EQ(at("shared-memory").x(), at("memory").x());
    EXPECT_EQ(at("occupancy").x(), at("launches").x());
    page.resize(2200, 800);
    EXPECT_EQ(shown(), QStringList{"shared-memory"}) << "wide, but not high enough";
    const auto* tabs = page.findChild<QTabWidget*>();
    ASSERT_EQ(tabs->count(), 4);
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(tabs->widget(i)->objectName(), names[i]) << "in the tab of its own title";
    page.open("launches");
    EXPECT_EQ(shown(), QStringList{"launches"});
}

class AskingTool : public ToolDialog {
public:
    explicit AskingTool(AppContext& context) : ToolDialog(context, "Title", "About", "Start", nullptr) {}
    using ToolDialog::setReason;
    using ToolDialog::showAnswer;
    using ToolDialog::showBusy;
    using ToolDialog::showFailure;
    int started = 0;

protected:
    void start() override { ++started; }
};

TEST_F(FormStates, AToolIsLockedWhileItWorksAndShowsItsLastAnswer)
{
    AskingTool tool(*context);
    auto* start = tool.findChild<QPushButton*>("toolStart");
    const auto* answer = tool.findChild<QLabel*>("toolAnswer");
    const auto* table = tool.findChild<QTableWidget*>("toolTable");
    EXPECT_EQ(tool.windowTitle(), "Title");
    EXPECT_EQ(start->text(), "Start");
    EXPECT_TRUE(table->isHidden());
    start->click();
    EXPECT_EQ(tool.started, 1);
    tool.showBusy("Working.");
    EXPECT_FALSE(start->isEnabled());
    EXPECT_EQ(answer->text(), "Working.");
    start->click();
    EXPECT_EQ(tool.started, 1);
    tool.showAnswer("Done.", {"A", "B", "C"}, {{"1", "2", "3"}, {"4", "5"}});
    EXPECT_TRUE(start->isEnabled());
    EXPECT_EQ(answer->text(), "Done.");
    EXPECT_FALSE(table->isHidden());
    ASSERT_EQ(table->rowCount(), 2);
    ASSERT_EQ(table->columnCount(), 3);
    EXPECT_EQ(table->horizontalHeaderItem(1)->text(), "B");
    EXPECT_EQ(table->item(0, 2)->text(), "3");
    EXPECT_EQ(table->item(1, 0)->text(), "4");
    EXPECT_TRUE(table->item(1, 2)->text().isEmpty());
    tool.showBusy("Again.");
    EXPECT_TRUE(table->isHidden()) << "it is of the work before";
    tool.showFailure(Error{.code = ErrorCode::badInput, .message = "It failed.", .hint = "Try another."});
    EXPECT_TRUE(start->isEnabled());
    EXPECT_EQ(answer->text(), "It failed.\nTry another.");
    EXPECT_TRUE(table->isHidden());
    tool.showFailure(Error{.code = ErrorCode::badInput, .message = "It failed."});
    EXPECT_EQ(answer->text(), "It failed.");
    tool.setReason("no device");
    EXPECT_FALSE(start->isEnabled());
    EXPECT_EQ(start->accessibleDescription(), "no device");
}

TEST_F(FormStates, EveryShortcutOfAnActionIsListedBesideIt)
{
    QWidget window;
    window.resize(1600, 1200);
    WindowActions actions(
        &window, {{"home", "Home", "home", {}}}, [](WindowAction) {}, [](const QString&) {});
    actions.of(WindowAction::refresh)->setShortcuts({QKeySequence("Ctrl+R"), QKeySequence("Alt+R"), QKeySequence("F11")});
    const ShortcutSheet sheet(actions, &window);
    int several = 0;
    for (const QAction* action : actions.all()) {
        if (action->shortcut().isEmpty())
            continue;
        several += action->shortcuts().size() > 1;
        QString beside;
        for (const QGridLayout* grid : sheet.findChildren<QGridLayout*>())
            for (int row = 0; row < grid->rowCount(); ++row) {
                const auto* what = grid->itemAtPosition(row, 0) ? qobject_cast<QLabel*>(grid->itemAtPosition(row, 0)->widget()) : nullptr;
                if (what && what->text() == withoutMnemonic(action->text()))
                    beside = qobject_cast<QLabel*>(grid->itemAtPosition(row, 1)->widget())->text();
            }
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys << key.toString(QKeySequence::NativeText);
        EXPECT_EQ(beside.split(", ").size(), keys.size()) << action->text().toStdString() << ": " << beside.toStdString();
        for (const QString& key : keys)
            EXPECT_TRUE(beside.contains(key)) << action->text().toStdString() << ": " << beside.toStdString();
    }
    EXPECT_GT(several, 0);
}

TEST_F(FormStates, AKindHasItsOwnThresholdsAndWhatCannotBeSavedIsReported)
{
    PlanThresholdsForm form(*context, nullptr);
    auto* kind = form.findChild<QComboBox*>("planKind");
    auto* table = form.findChild<ValueTable*>("planThresholds");
    auto* name = form.findChild<QLineEdit*>("planName");
    EXPECT_EQ(kind->currentText(), "optimize");
    ASSERT_GT(kind->count(), 1);
    const int other = kind->currentIndex() == 0 ? 1 : 0;
    table->item(0, table->columnCount() - 2)->setText("77");
    EXPECT_EQ(table->collectChanged().size(), 1U);
    kind->setCurrentIndex(other);
    EXPECT_TRUE(table->collectChanged().empty()) << "of the kind before";
    EXPECT_EQ(name->text(), kind->currentText() + "-own");
    EXPECT_FALSE(name->isReadOnly());
    EXPECT_FALSE(form.findChild<QPushButton*>("planSave")->isEnabled());
    for (int row = 0; row < table->rowCount(); ++row) {
        EXPECT_EQ(table->item(row, table->columnCount() - 2)->text(), table->item(row, table->columnCount() - 1)->text());
        EXPECT_FALSE(table->item(row, table->columnCount() - 2)->font().bold());
    }
    kind->setCurrentIndex(kind->findText("optimize"));
    table->item(0, table->columnCount() - 2)->setText("76");
    ASSERT_TRUE(QTest::qWaitFor([&] { return form.findChild<QPushButton*>("planSave")->isEnabled(); }, 60000));
    EXPECT_EQ(form.findChild<QListWidget*>("planChanges")->count(), 0) << "there are no sessions";
    EXPECT_TRUE(form.findChild<QListWidget*>("planChanges")->isHidden());
    name->setText("optimize");
    const QSignalSpy posted(context.get(), &AppContext::messagePosted);
    form.findChild<QPushButton*>("planSave")->click();
    EXPECT_EQ(posted.count(), 1) << "a shipped kind stays as it is";
    EXPECT_EQ(table->collectChanged().size(), 1U) << "nothing of the form is lost";
    for (QPushButton* button : form.findChildren<QPushButton*>())
        if (button->objectName().isEmpty())
            button->click(); // the defaults
    EXPECT_TRUE(table->collectChanged().empty());
}

TEST_F(FormStates, ADatabaseThatIsDamagedIsForgottenAndOthersAreOffered)
{
    QSettings().remove("window");
    rememberPlace(context->location(), "sample");
    ASSERT_TRUE(loadRemembered().databases.contains(context->location()));
    QWidget window;
    PlaceMenu menu(*context, &window);
    QSignalSpy posted(context.get(), &AppContext::messagePosted);
    emit context->databaseDamaged(Error{.code = ErrorCode::badInput, .message = "It is damaged."});
    ASSERT_EQ(posted.count(), 1);
    const auto message = posted[0][0].value<Message>();
    EXPECT_EQ(message.level, MessageLevel::error);
    ASSERT_EQ(message.buttons.size(), 2U);
    EXPECT_FALSE(loadRemembered().databases.contains(context->location()));
    message.buttons[1].action();
    EXPECT_TRUE(context->isSample()) << "the second opens the sample";
    EXPECT_EQ(loadRemembered().database, ":sample:");
    const QString gone = q((folder / "later.db").string());
    rememberPlace(gone, "sample");
    ASSERT_TRUE(loadRemembered().databases.contains(gone));
    QFile broken(gone);
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write(QByteArray(5000, 'x'));
    broken.close();
    menu.openDatabase(gone);
    EXPECT_EQ(posted.count(), 2);
    EXPECT_FALSE(loadRemembered().databases.contains(gone)) << "it cannot be opened";
    EXPECT_TRUE(context->isSample());
    QSettings().remove("window");
}

TEST_F(FormStates, AValueIsEditedInTheMarkOfTheLanguageAndAloneInItsColumn)
{
    ValueTable table({"Name", "Unit"}, "Values", nullptr);
    table.setRows({{"a", {"x", "s"}, "tip of a", 1.5, 1.5}, {"b", {"y", "s"}, {}, 2, 5}});
    EXPECT_EQ(table.accessibleName(), "Values");
    EXPECT_EQ(table.item(0, 0)->toolTip(), "tip of a");
    EXPECT_EQ(table.item(0, 2)->toolTip(), "tip of a");
    EXPECT_EQ(table.item(1, 0)->toolTip(), "y") << "where it may be cut";
    EXPECT_TRUE(table.item(1, 1)->toolTip().isEmpty());
    EXPECT_TRUE(table.item(0, 2)->textAlignment() & Qt::AlignRight);
    EXPECT_TRUE(table.item(0, 3)->textAlignment() & Qt::AlignRight);
    const QSignalSpy edited(&table, &ValueTable::edited);
    table.item(0, 0)->setText("17");
    EXPECT_EQ(edited.count(), 0) << "no value";
    EXPECT_TRUE(table.collectChanged().empty());
    table.item(1, 2)->setText(" 5 ");
    EXPECT_EQ(edited.count(), 1);
    EXPECT_FALSE(table.item(1, 2)->font().bold()) << "as usual again";
    EXPECT_EQ(table.collectChanged(), (std::map<std::string, double>{{"b", 5}}));
    EXPECT_TRUE(table.unusual().empty());
    const InGerman german;
    table.setRows({{"a", {"x", "s"}, {}, 1.5, 2.5}});
    EXPECT_EQ(table.item(0, 2)->text(), "1,5");
    EXPECT_EQ(table.item(0, 3)->text(), "2,5");
    table.item(0, 2)->setText("3,5");
    EXPECT_EQ(table.collectChanged(), (std::map<std::string, double>{{"a", 3.5}}));
    table.setToDefaults();
    EXPECT_EQ(table.item(0, 2)->text(), "2,5");
    EXPECT_FALSE(table.item(0, 2)->font().bold());
}

} // namespace
} // namespace kl::ui
