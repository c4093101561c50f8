// SPDX-License-Identifier: MIT
// Widgets that people act on: messages, buttons, cards with a choice, a menu, and what the wheel and Tab reach.
#include "ui/style/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/option_card.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/saved_message.h"
#include "ui/widgets/tab_order.h"
#include "ui/widgets/theme_menu.h"
#include "ui/widgets/wheel_guard.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDesktopServices>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
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
    const Message message = makeSavedMessage("Saved.", path);
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
QStringList readMessages(const MessageBar& bar)
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
    EXPECT_EQ(readMessages(bar), (QStringList{"fourth", "third", "second"}));
    bar.dismissNewest();
    EXPECT_EQ(readMessages(bar), (QStringList{"third", "second"}));
}

TEST(MessageBar, AnotherPageLeavesWhatNeedsAttention)
{
    MessageBar bar;
    bar.post({MessageLevel::success, "saved", {}, {}});
    bar.post({MessageLevel::error, "failed", {}, {}});
    bar.clearSettled();
    EXPECT_EQ(readMessages(bar), (QStringList{"failed"}));
    bar.post({MessageLevel::warning, "slow", {}, {}});
    bar.post({MessageLevel::info, "stopped", {}, {}});
    bar.clearSettled();
    EXPECT_EQ(readMessages(bar), (QStringList{"slow", "failed"}));
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
    bool stated = false;
    for (const QLabel* label : button.findChildren<QLabel*>())
        stated = stated || (label->text() == "The sample is read-only." && !label->isHidden());
    EXPECT_TRUE(stated);
    button.setReason({});
    EXPECT_TRUE(button.button()->isEnabled());
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

TEST(OptionCard, LockedShowsTheRule)
{
    OptionCard card("Stage the tile in shared memory");
    card.setButton("Choose", true);
    card.setLocked("rule 1: profile before optimizing");
    EXPECT_FALSE(card.button()->isEnabled());
    card.setLocked({});
    EXPECT_TRUE(card.button()->isEnabled());
}

} // namespace
} // namespace kl::ui
