// SPDX-License-Identifier: MIT
// The tour: its steps point at controls that are there, and it is taken with mouse and keyboard.
#include "ui/tour/tour.h"
#include "ui/tour/tour_card.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

class TourTest : public testing::Test {
protected:
    void SetUp() override
    {
        QSettings().remove(QStringLiteral("tour"));
        open(":sample:");
    }
    void TearDown() override
    {
        waitForJobs();
        window.reset();
        QSettings().remove(QStringLiteral("tour"));
    }
    void open(const std::string& location)
    {
        window.reset();
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->resize(1280, 800);
        window->show();
        window->activateWindow();
        ASSERT_TRUE(waitForJobs());
    }
    /// Pages are read in the background; the card follows what they show.
    static void settle()
    {
        ASSERT_TRUE(waitForJobs());
        QTest::qWait(450);
    }
    void start()
    {
        window->commands().of(WindowAction::tour)->trigger();
        settle();
    }
    QPushButton* button(const char* name) const { return window->findChild<QPushButton*>(QLatin1String(name)); }
    QWidget* card() const { return window->findChild<QWidget*>(QStringLiteral("tourCard")); }
    QWidget* frame() const { return window->findChild<QWidget*>(QStringLiteral("tourFrame")); }
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

TEST_F(TourTest, HasFiveStepsThatPointAtControlsOfTheSample)
{
    EXPECT_EQ(tourSteps().size(), 5U);
    for (const QSize size : {QSize(1280, 800), QSize(960, 600), QSize(2560, 1440)}) {
        window->resize(size);
        start();
        for (const TourStep& step : tourSteps()) {
            settle();
            EXPECT_EQ(window->currentPage(), step.page);
            EXPECT_TRUE(card()->isVisible()) << step.id;
            EXPECT_TRUE(card()->parentWidget()->rect().contains(card()->geometry())) << step.id << " at " << size.width();
            EXPECT_TRUE(frame()->isVisible()) << step.id << " at " << size.width();
            EXPECT_EQ(QApplication::focusWidget(), button("tourNext")) << step.id;
            EXPECT_TRUE(size.width() < 1280 || !frame()->geometry().intersects(card()->geometry())) << step.id << " at " << size.width();
            if (size.width() >= 1280)
                for (const QString& name : QString::fromLatin1(step.also).split(u' ', Qt::SkipEmptyParts))
                    for (const QWidget* also : window->page(step.page)->findChildren<QWidget*>(name)) {
                        const QRect place(also->mapTo(card()->parentWidget(), QPoint(0, 0)), also->size());
                        EXPECT_FALSE(also->isVisible() && place.intersects(card()->geometry())) << step.id << ' ' << utf8(name);
                    }
            if (step.subject != TourSubject::nothing) {
                EXPECT_FALSE(findTourSubject(step.subject, context->store()).isEmpty()) << step.id;
            }
            QTest::mouseClick(button("tourNext"), Qt::LeftButton);
        }
        EXPECT_FALSE(card()->isVisible());
        EXPECT_FALSE(Tour::isBegun());
    }
}

TEST_F(TourTest, IsTheNextActionOfTheSample)
{
    window->showPage("home");
    settle();
    QTest::mouseClick(button("nextAction"), Qt::LeftButton);
    settle();
    EXPECT_TRUE(card()->isVisible());
    EXPECT_EQ(window->currentPage(), tourSteps().front().page);
}

TEST_F(TourTest, IsTakenWithTheKeyboard)
{
    start();
    EXPECT_FALSE(button("tourBack")->isEnabled());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    settle();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    settle();
    EXPECT_EQ(window->currentPage(), tourSteps()[2].page);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
    EXPECT_EQ(QApplication::focusWidget(), button("tourBack"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    settle();
    EXPECT_EQ(window->currentPage(), tourSteps()[1].page);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    EXPECT_FALSE(card()->isVisible());
    EXPECT_TRUE(Tour::isBegun());
}

TEST_F(TourTest, IsResumedWhereItWasLeftAlsoAfterARestart)
{
    QAction* action = window->commands().of(WindowAction::tour);
    const QString take = action->text();
    QTest::mouseClick(button("takeTour"), Qt::LeftButton);
    settle();
    QTest::mouseClick(button("tourNext"), Qt::LeftButton);
    settle();
    QTest::mouseClick(button("tourNext"), Qt::LeftButton);
    settle();
    QTest::mouseClick(button("tourLeave"), Qt::LeftButton);
    EXPECT_NE(action->text(), take);
    open(":sample:");
    EXPECT_NE(window->commands().of(WindowAction::tour)->text(), take);
    start();
    EXPECT_EQ(window->currentPage(), tourSteps()[2].page);
    for (int i = 0; i < 3; ++i)
        QTest::mouseClick(button("tourNext"), Qt::LeftButton);
    EXPECT_EQ(window->commands().of(WindowAction::tour)->text(), take);
    start();
    EXPECT_EQ(window->currentPage(), tourSteps()[0].page);
}

TEST_F(TourTest, LeavesTheUsersOwnDatabaseAlone)
{
    const QTemporaryDir folder;
    open(utf8(folder.filePath("own.db")));
    window->commands().of(WindowAction::tour)->trigger();
    MainWindow* other = nullptr;
    for (QWidget* top : QApplication::topLevelWidgets())
        if (auto* shown = qobject_cast<MainWindow*>(top); shown && shown != window.get())
            other = shown;
    ASSERT_TRUE(other);
    settle();
    EXPECT_GT(other->pos().x(), window->pos().x()) << "the user's own window can still be seen";
    EXPECT_GT(other->pos().y(), window->pos().y());
    EXPECT_TRUE(other->findChild<QWidget*>(QStringLiteral("tourCard"))->isVisible());
    EXPECT_EQ(other->currentPage(), tourSteps()[0].page);
    EXPECT_FALSE(context->isSample());
    EXPECT_FALSE(card()->isVisible());
    other->close();
}

TEST(PlaceBeside, TakesTheFirstSideWithRoom)
{
    const QRect room(0, 0, 1000, 600);
    const QSize card(400, 150);
    const QRect below = placeBeside({100, 100, 500, 50}, {}, card, room);
    EXPECT_GT(below.top(), 149);
    EXPECT_EQ(below.left(), 100);
    EXPECT_LT(placeBeside({100, 400, 500, 150}, {}, card, room).bottom(), 400);
    EXPECT_GT(placeBeside({0, 0, 300, 600}, {}, card, room).left(), 299);
    EXPECT_LT(placeBeside({700, 0, 300, 600}, {}, card, room).right(), 700);
    EXPECT_EQ(placeBeside(room, {}, card, room).bottomRight(), room.bottomRight());
    EXPECT_EQ(placeBeside({}, {}, card, room).bottomRight(), room.bottomRight());
}

TEST(PlaceBeside, CoversAsLittleAsItCan)
{
    const QRect room(0, 0, 1000, 600);
    const QSize card(400, 150);
    const QRect target(0, 0, 1000, 100), evidence(0, 110, 550, 490);
    const QRect free = placeBeside(target, {evidence}, card, room);
    EXPECT_FALSE(free.intersects(target));
    EXPECT_FALSE(free.intersects(evidence));
    const QRect tall(0, 0, 700, 600); // no side has room: its edge is covered, not its middle
    const QRect edge = placeBeside(tall, {}, card, room);
    EXPECT_TRUE(room.contains(edge));
    EXPECT_EQ(edge.right(), room.right());
    EXPECT_EQ(placeBeside(target, {room}, card, room).top(), placeBeside(target, {}, card, room).top()) << "all is spoken of";
}

} // namespace
} // namespace kl::ui
