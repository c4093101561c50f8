// SPDX-License-Identifier: MIT
// Cards, fields, layouts, messages and tasks that pages are made of: that each shows what it was given last and does what it says.
#include "core/base/format.h"
#include "ui/jobs/job.h"
#include "ui/style/theme.h"
#include "ui/style/tokens.h"
#include "ui/widgets/card.h"
#include "ui/widgets/copy_card.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/input_card.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/option_card.h"
#include "ui/widgets/reflow.h"
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
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QThread>
#include <QToolButton>
#include <QVBoxLayout>

#include <atomic>

namespace kl::ui {
namespace {

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
    const auto wasNotified = [&] { return changed.count() > std::exchange(count, static_cast<int>(changed.count())); };
    whole->setValue(6);
    EXPECT_TRUE(wasNotified());
    real->setValue(1.25);
    EXPECT_TRUE(wasNotified());
    choice->setCurrentIndex(2);
    EXPECT_TRUE(wasNotified());
    open->setCurrentIndex(1);
    EXPECT_TRUE(wasNotified());
    open->lineEdit()->setText("typed");
    QTest::keyClick(open->lineEdit(), Qt::Key_Return);
    EXPECT_TRUE(wasNotified());
    EXPECT_EQ(open->count(), 2) << "what is typed is not kept as a choice";
    flag->setChecked(true);
    EXPECT_TRUE(wasNotified());
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

TEST(Reflows, ARowOfACardLeavesRoomForTheCardsMargins)
{
    QWidget page;
    auto* whole = new QVBoxLayout(&page);
    whole->setContentsMargins(kGapPage, kGapPage, kGapPage, kGapPage);
    auto* card = new Card("Card", &page);
    auto* row = new QHBoxLayout;
    for (int i = 0; i < 2; ++i) {
        auto* half = new QWidget(&page);
        half->setMinimumWidth(300);
        row->addWidget(half);
    }
    card->body()->addLayout(row);
    whole->addWidget(card);
    const Reflow reflow(row, &page);
    for (int width = 560; width < 760; ++width) {
        page.setMinimumWidth(1);
        page.resize(width, 300);
        page.show();
        QCoreApplication::processEvents();
        if (row->direction() == QBoxLayout::LeftToRight) {
            ASSERT_GE(width, page.minimumSizeHint().width());
        }
    }
    EXPECT_EQ(row->direction(), QBoxLayout::LeftToRight);
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
    bool stated = false;
    for (const QLabel* label : card.findChildren<QLabel*>())
        stated = stated || (label->text() == "a rule" && !label->isHidden());
    EXPECT_TRUE(stated);
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

} // namespace
} // namespace kl::ui
