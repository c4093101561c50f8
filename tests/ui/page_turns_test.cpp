// SPDX-License-Identifier: MIT
// What pages and the tour do next: the step that follows, the field that starts work, the reason why there is none.
#include "core/base/format.h"
#include "sessions/learning/regressions.h"
#include "tests/ui/support/own_database.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/pages/history/regressions_card.h"
#include "ui/pages/kernels/sweep_view.h"
#include "ui/pages/search/funnel_chart.h"
#include "ui/pages/search_page.h"
#include "ui/style/theme.h"
#include "ui/tour/tour.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

/// A window whose page has what each step of the tour is about, one below the other, in a body that is higher than the window.
class TourWalks : public testing::Test {
protected:
    void SetUp() override
    {
        QSettings().remove("tour");
        window.resize(800, 600);
        auto* outer = new QVBoxLayout(&window);
        outer->setContentsMargins(0, 0, 0, 0);
        area = new QScrollArea(&window);
        auto* body = new QWidget;
        body->setFixedSize(700, 5000);
        int y = 900;
        for (const TourStep& step : tourSteps()) {
            auto* target = new QWidget(body);
            target->setObjectName(QString::fromLatin1(step.target).section(' ', 0, 0));
            target->setGeometry(50, y, 300, 80);
            targets.push_back(target);
            y += 800;
        }
        area->setWidget(body);
        outer->addWidget(area);
        window.show();
        QCoreApplication::processEvents();
        tour = new Tour(&window, [this](const TourStep& step) {
            shown << QString::fromLatin1(step.id);
            return static_cast<QWidget*>(&window);
        });
    }
    void TearDown() override { QSettings().remove("tour"); }
    void press(const char* name) const { window.findChild<QPushButton*>(QString::fromLatin1(name))->click(); }
    QRect locateTarget(std::size_t step) const { return {targets[step]->mapTo(&window, QPoint()), targets[step]->size()}; }
    const QFrame& frame() const { return *window.findChild<QFrame*>("tourFrame"); }

    QWidget window;
    QScrollArea* area = nullptr;
    std::vector<QWidget*> targets;
    Tour* tour = nullptr;
    QStringList shown;
};

TEST_F(TourWalks, EachStepScrollsToWhatItExplainsAndFramesIt)
{
    ASSERT_EQ(area->verticalScrollBar()->value(), 0);
    tour->start();
    for (std::size_t step = 0; step < targets.size(); ++step) {
        EXPECT_TRUE(window.rect().contains(locateTarget(step))) << step;
        EXPECT_TRUE(frame().isVisible()) << step;
        EXPECT_EQ(frame().geometry(), locateTarget(step).adjusted(-kGapTight, -kGapTight, kGapTight, kGapTight)) << step;
        if (step + 1 < targets.size())
            press("tourNext");
    }
    press("tourBack");
    EXPECT_TRUE(window.rect().contains(locateTarget(targets.size() - 2))) << "back, too";
    EXPECT_EQ(shown.size(), static_cast<qsizetype>(targets.size()) + 1);
    EXPECT_EQ(shown.last(), shown[shown.size() - 3]);
}

TEST_F(TourWalks, ItGoesOnWhereItWasLeftAndBeginsAgainAfterItsEnd)
{
    const QSignalSpy changed(tour, &Tour::changed);
    const int last = static_cast<int>(tourSteps().size()) - 1;
    EXPECT_FALSE(Tour::isBegun());
    EXPECT_FALSE(tour->isRunning());
    tour->start();
    EXPECT_EQ(changed.count(), 1);
    EXPECT_TRUE(tour->isRunning() && Tour::isBegun());
    press("tourNext");
    press("tourLeave");
    EXPECT_EQ(changed.count(), 2);
    EXPECT_FALSE(tour->isRunning());
    EXPECT_TRUE(Tour::isBegun());
    EXPECT_FALSE(frame().isVisible());
    tour->start();
    EXPECT_EQ(shown.last(), QString::fromLatin1(tourSteps()[1].id));
    press("tourLeave");
    QSettings().setValue("tour/step", 77);
    tour->start();
    EXPECT_EQ(shown.last(), QString::fromLatin1(tourSteps()[static_cast<std::size_t>(last)].id)) << "of a longer tour";
    press("tourNext");
    EXPECT_FALSE(tour->isRunning());
    EXPECT_FALSE(Tour::isBegun()) << "it was finished";
    tour->start();
    EXPECT_EQ(shown.last(), QString::fromLatin1(tourSteps()[0].id));
    press("tourLeave");
}

TEST_F(TourWalks, WithoutItsControlAStepHasNoFrame)
{
    targets[1]->hide();
    tour->start();
    EXPECT_TRUE(frame().isVisible());
    press("tourNext");
    EXPECT_FALSE(frame().isVisible()) << "there is nothing to point at";
    EXPECT_TRUE(window.findChild<QWidget*>("tourCard")->isVisible());
    EXPECT_TRUE(window.rect().contains(window.findChild<QWidget*>("tourCard")->geometry()));
    press("tourNext");
    EXPECT_TRUE(frame().isVisible());
    press("tourLeave");
}

class PageTurns : public OwnDatabase {};

TEST_F(PageTurns, ReturnInAFieldStartsTheSweepAndItIsLockedMeanwhile)
{
    SweepView view(*context);
    view.resize(900, 700);
    view.show();
    view.setSubject({"transpose", "tiled", {}}, *parseParams("M=4096,N=4096"));
    const auto* start = buttonOn(view, "startSweep");
    auto* field = view.findChild<QLineEdit*>("axis-N");
    view.setFocusOnForm();
    EXPECT_EQ(view.focusWidget(), view.findChild<QLineEdit*>("axis-M")) << "the first size";
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_FALSE(start->isEnabled()) << "it measures";
    EXPECT_FALSE(start->accessibleDescription().isEmpty());
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(start->isEnabled());
    const auto* rows = view.findChild<DataTable*>("sweepRows")->model();
    QCoreApplication::processEvents();
    EXPECT_EQ(rows->rowCount(), 1);
    field->setText("4096..");
    QTest::keyClick(field, Qt::Key_Return);
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(rows->rowCount(), 1) << "that is not a size";
    field->setText(" 2048 ");
    EXPECT_TRUE(start->isEnabled()) << "blanks around it do not count";
}

TEST_F(PageTurns, ASearchWithoutSurvivorsSaysSoAndTheOtherGpuGoesWithItsChoice)
{
    SearchPage page(*context);
    page.resize(1200, 900);
    page.show();
    page.open("attention/fused");
    ASSERT_TRUE(waitForJobs());
    const auto* compile = buttonOn(page, "compile");
    const auto* elsewhere = page.findChild<QLabel*>("elsewhere");
    const auto* funnel = page.findChild<FunnelChart*>();
    EXPECT_TRUE(compile->isEnabled()) << compile->accessibleDescription().toStdString();
    EXPECT_FALSE(elsewhere->isVisible());
    auto* other = page.findChild<QComboBox*>("whatIf");
    other->setCurrentText("T4");
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(elsewhere->isVisible());
    ASSERT_TRUE(funnel->stages().back().other);
    EXPECT_TRUE(elsewhere->text().startsWith("T4"));
    EXPECT_TRUE(elsewhere->text().contains(q(formatCount(static_cast<double>(*funnel->stages().back().other)))))
        << elsewhere->text().toStdString();
    other->setCurrentIndex(0);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(elsewhere->isVisible());
    EXPECT_TRUE(elsewhere->text().isEmpty());
    EXPECT_FALSE(funnel->stages().back().other);
    const std::size_t usual = funnel->stages().back().left;
    auto* occupancy = page.findChild<QDoubleSpinBox*>("occupancy");
    occupancy->selectAll();
    QTest::keyClicks(occupancy, "99");
    ASSERT_TRUE(waitForJobs());
    EXPECT_LT(funnel->stages().back().left, usual);
    EXPECT_EQ(compile->isEnabled(), funnel->stages().back().left > 0);
    EXPECT_EQ(compile->accessibleDescription().isEmpty(), compile->isEnabled());
}

KernelRegression slowKernel(RegressionState state)
{
    KernelRegression row;
    row.kernel = "transpose/naive";
    row.problem = "M=64,N=32";
    row.device = "NVIDIA H200";
    row.firstRun = "first";
    row.newest = "newest";
    row.since = "2026-03-01T09:10:00.000Z";
    row.levelNs = 100;
    row.afterNs = 130;
    row.change = 0.3;
    row.state = state;
    return row;
}

TEST_F(PageTurns, ARegressionSaysItsSizeDeviceAndState)
{
    RegressionsCard card(*context);
    card.show({slowKernel(RegressionState::open)});
    settleWidgets();
    const QString facts = card.findChild<QLabel*>("regressionState")->text();
    for (const QString& part : {spaceProblem("M=64,N=32"), QStringLiteral("NVIDIA H200"), absoluteTime("2026-03-01T09:10:00.000Z")})
        EXPECT_TRUE(facts.contains(part)) << facts.toStdString();
    const QLabel* slowdown = nullptr;
    for (const QLabel* label : card.findChildren<QLabel*>())
        if (label->text().contains(q(formatTime(130))))
            slowdown = label;
    ASSERT_NE(slowdown, nullptr);
    EXPECT_EQ(slowdown->palette().color(QPalette::WindowText), color(Token::worse));
    QStringList states;
    for (const RegressionState state :
         {RegressionState::open, RegressionState::acknowledged, RegressionState::fixed, RegressionState::newNormal}) {
        card.show({slowKernel(state)});
        settleWidgets();
        states << card.findChild<QLabel*>("regressionState")->text().section(q(" · "), -1);
        EXPECT_FALSE(card.findChild<QLineEdit*>("regressionNote")->isHidden());
        EXPECT_EQ(buttonOn(card, "undoRegression") == nullptr, state == RegressionState::open);
    }
    EXPECT_EQ(states.removeDuplicates(), 0) << states.join('|').toStdString();
    KernelRegression over = slowKernel(RegressionState::acknowledged);
    over.levelNs = 0;
    card.show({over});
    EXPECT_TRUE(card.findChildren<QLineEdit*>("regressionNote").last()->isHidden());
    EXPECT_EQ(seenOn(card).filter(q(formatTime(130))).size(), 0) << "it is not slower now";
    ASSERT_TRUE(context->switchTo(":sample:"));
    card.show({slowKernel(RegressionState::open)});
    settleWidgets();
    for (const char* name : {"acknowledgeRegression", "fixedRegression", "newNormalRegression"})
        EXPECT_FALSE(buttonOn(card, name)->isEnabled()) << name;
    EXPECT_TRUE(seenOn(card).contains(context->writeReason()));
    ASSERT_TRUE(waitForJobs());
}

} // namespace
} // namespace kl::ui
