// SPDX-License-Identifier: MIT
// Places that are remembered, doors of every step, files of kernels that cannot be read, jobs that give notice, icons.
#include "sessions/engine/action_table.h"
#include "tests/support/real_reports.h"
#include "tests/support/store_support.h"
#include "tests/ui/support/file_answer.h"
#include "ui/charts/swatch.h"
#include "ui/context/app_context.h"
#include "ui/context/baselines.h"
#include "ui/context/kernel_watcher.h"
#include "ui/context/remembered.h"
#include "ui/context/step_doors.h"
#include "ui/import/report_opener.h"
#include "ui/jobs/job.h"
#include "ui/style/theme.h"
#include "ui/style/tokens.h"
#include "ui/tour/tour_card.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <map>

namespace kl::ui {
namespace {

TEST(RememberedPlaces, HaveEachFieldOfTheirOwn)
{
    QSettings().remove("window");
    rememberPlace("/a.db", "local");
    rememberWindow("geometry", "history");
    Remembered now = loadRemembered();
    EXPECT_EQ(now.database, "/a.db");
    EXPECT_EQ(now.device, "local");
    EXPECT_EQ(now.page, "history");
    EXPECT_EQ(now.geometry, "geometry");
    rememberPlace("/b.db", "sample");
    forgetDatabase("/a.db");
    now = loadRemembered();
    EXPECT_EQ(now.database, "/b.db") << "another one was forgotten";
    EXPECT_EQ(now.databases, QStringList{"/b.db"});
    for (int i = 0; i < 9; ++i)
        rememberPlace(QStringLiteral("/%1.db").arg(i), "sample");
    EXPECT_EQ(loadRemembered().databases.front(), "/8.db");
    EXPECT_EQ(loadRemembered().databases.back(), "/1.db") << "the oldest ones give way";
    QSettings().remove("window");
}

TEST(EveryDoor, LeadsToThePageOfItsStep)
{
    using S = StepId;
    using A = StepArgument;
    const std::map<S, std::pair<const char*, const char*>> wanted{{S::run, {"kernels", "K"}},
                                                                  {S::profile, {"kernels", "K"}},
                                                                  {S::compile, {"kernels", "K"}},
                                                                  {S::listKernels, {"kernels", ""}},
                                                                  {S::addKernel, {"kernels", ""}},
                                                                  {S::removeKernel, {"kernels", "K"}},
                                                                  {S::searchSpace, {"search", "K"}},
                                                                  {S::analyze, {"diagnose", ""}},
                                                                  {S::listCosts, {"history", "money"}},
                                                                  {S::setPrice, {"history", "money"}},
                                                                  {S::listPatterns, {"patterns", ""}},
                                                                  {S::suggestPatterns, {"patterns", ""}},
                                                                  {S::newSession, {"session", "kernel:K"}},
                                                                  {S::listSessions, {"session", "list"}},
                                                                  {S::checkEnvironment, {"environment", ""}},
                                                                  {S::sharedMemory, {"calculate", "shared-memory"}}};
    for (const auto& [id, place] : wanted) {
        NextStep step{id, {}, {}};
        step.set(A::kernel, "K");
        step.set(A::session, "S");
        const auto door = findDoor(step);
        ASSERT_TRUE(door) << static_cast<int>(id);
        EXPECT_EQ(door->page, QLatin1String(place.first)) << static_cast<int>(id);
        EXPECT_EQ(door->argument, QLatin1String(place.second)) << static_cast<int>(id);
        EXPECT_EQ(door->text, stepText(step) + u'…');
    }
    for (const S id : {S::showSession, S::resumeSession, S::checkGate, S::stepSession, S::actInSession, S::waiveGate, S::setOption,
                       S::writeReview, S::writeReport, S::noteInSession}) {
        NextStep step{id, {}, {}};
        step.set(A::kernel, "K");
        step.set(A::session, "S");
        ASSERT_TRUE(findDoor(step)) << static_cast<int>(id);
        EXPECT_EQ(findDoor(step)->page, "session") << static_cast<int>(id);
        EXPECT_EQ(findDoor(step)->argument, "S") << static_cast<int>(id);
    }
}

TEST(EveryDoor, OfAnActionIsCalledAsTheAction)
{
    NextStep step = makeActionStep(SessionAction::keep);
    EXPECT_EQ(stepText(step), q(lookUpRow(SessionAction::keep).title));
    EXPECT_NE(stepText(makeActionStep(SessionAction::checkEnvironment)), stepText(step));
    EXPECT_EQ(stepText({StepId::listPatterns}), q(titleFor({StepId::listPatterns})));
    QStringList led;
    const auto buttons = makeStepButtons({{StepId::listPatterns}, {StepId::profileWithNcu}, {StepId::newSession}},
                                         [&](const QString& page, const QString& argument) { led << page + u' ' + argument; });
    ASSERT_EQ(buttons.size(), 2U) << "one is for a terminal";
    buttons[1].action();
    buttons[0].action();
    EXPECT_EQ(led, (QStringList{"session new", "patterns "}));
}

TEST(PinColors, BeginBehindThoseOfKernels)
{
    EXPECT_EQ(Baselines::colorAt(0), Token::series5);
    EXPECT_EQ(Baselines::colorAt(3), Token::series8);
}

TEST(WatchedKernels, ADescriptorThatCannotBeReadIsReadAgainOnceItIsSaved)
{
    const support::TempDir folder;
    support::writeBytes(folder / "broken.json", "{");
    support::writeBytes(folder / "other.cu", "first");
    KernelFamily family;
    family.id = "mine";
    family.origin = {(folder / "mine.json").string(), {(folder / "other.cu").string()}, {}};
    support::writeBytes(folder / "mine.json", "{}");
    KernelWatcher watcher;
    QStringList saved;
    QObject::connect(&watcher, &KernelWatcher::saved, [&](const QStringList& kernels) { saved << kernels; });
    watcher.watch(Catalog({family}), {(folder / "broken.json").string()});
    support::writeBytes(folder / "broken.json", "{ \"id\": 1 }");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, 60000));
    EXPECT_EQ(saved, QStringList{q((folder / "broken.json").string())}) << "and no other";
    saved.clear();
    watcher.watch(Catalog({family}), {});
    support::writeBytes(folder / "other.cu", "a longer text");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, 60000));
    EXPECT_EQ(saved, QStringList{"mine"});
}

TEST(ChosenReports, AreThoseOfTheDialog)
{
    const support::TempDir folder;
    auto context = AppContext::open((folder / "a.db").string(), DeviceSpec::sample());
    ASSERT_TRUE(context);
    QWidget window;
    const ReportOpener opener(**context, &window);
    support::writeBytes(folder / "three.ncu-rep", test::ncuData("three_kernels.ncu-rep"));
    const FileAnswer answer(q((folder / "three.ncu-rep").string()));
    (*context)->openReports();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(answer.seen());
    EXPECT_EQ(answer.filters().filter("*.ncu-rep").filter("*.bundle").size(), 1);
    EXPECT_EQ((*context)->store().runs({})->size(), 3U);
    QSettings().remove("folders");
}

TEST(ChosenReports, OverAReadOnlyDatabaseErrorsAreNotCalledKept)
{
    const support::TempDir folder;
    auto context = AppContext::open(":sample:", DeviceSpec::sample());
    ASSERT_TRUE(context);
    QWidget window;
    const ReportOpener opener(**context, &window);
    support::writeBytes(folder / "three.ncu-rep", test::ncuData("three_kernels.ncu-rep"));
    support::writeBytes(folder / "broken.ncu-rep", "no report");
    QSignalSpy posted(context->get(), &AppContext::messagePosted);
    const auto open = [&](const QStringList& names) {
        QStringList paths;
        for (const QString& name : names)
            paths << q((folder / utf8(name)).string());
        (*context)->openReports(paths);
        EXPECT_TRUE(waitForJobs());
        return posted.back()[0].value<Message>();
    };
    const Message kept = open({"three.ncu-rep"});
    EXPECT_FALSE(kept.why.isEmpty()) << "until the window closes";
    EXPECT_EQ((*context)->openedRuns()->size(), 3U);
    const Message beside = open({"three.ncu-rep", "broken.ncu-rep"});
    EXPECT_NE(beside.why, kept.why);
    EXPECT_EQ((*context)->openedRuns()->size(), 3U) << "each once";
}

TEST(JobNotices, AreTheMonitorsWithTheTitleOfTheirJob)
{
    QSignalSpy stalled(&JobMonitor::instance(), &JobMonitor::stalled);
    BackgroundJob job;
    job.start(
        "Profiling",
        [](const Job& handle) {
            handle.notice("no answer for 60 s");
            while (!handle.stop.stop_requested())
                QThread::msleep(1);
            return 0;
        },
        [](int) {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return stalled.count() == 1; }, 60000));
    EXPECT_EQ(stalled[0][0].toString(), "Profiling");
    EXPECT_EQ(stalled[0][1].toString(), "no answer for 60 s");
    EXPECT_EQ(job.title(), "Profiling");
    EXPECT_FALSE(waitForJobs(50)) << "it still runs";
    const QSignalSpy finished(&job, &BackgroundJob::finished);
    job.cancel();
    EXPECT_TRUE(waitForJobs());
    EXPECT_EQ(finished.count(), 1);
    job.cancel();
    EXPECT_FALSE(job.running());
}

TEST(IconInks, AreThoseOfTheirTokenInEachTheme)
{
    const auto readColor = [](const QIcon& drawn, QIcon::Mode mode) {
        const QImage image = drawn.pixmap(QSize(32, 32), mode).toImage().convertToFormat(QImage::Format_ARGB32);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (qAlpha(image.pixel(x, y)) == 255)
                    return image.pixelColor(x, y);
        return QColor();
    };
    EXPECT_EQ(readColor(icon("home", Token::accent), QIcon::Normal), color(Token::accent));
    EXPECT_EQ(readColor(icon("home", Token::worse), QIcon::Normal), color(Token::worse)) << "not the one drawn before";
    EXPECT_EQ(readColor(icon("home", Token::accent), QIcon::Disabled), color(Token::muted));
    Theme::instance().choose(ThemeChoice::dark);
    EXPECT_EQ(readColor(icon("home", Token::accent), QIcon::Normal), tokenColor(Scheme::dark, Token::accent));
    EXPECT_EQ(qApp->palette().color(QPalette::Highlight), tokenColor(Scheme::dark, Token::accent));
    EXPECT_EQ(qApp->palette().color(QPalette::HighlightedText), tokenColor(Scheme::dark, Token::surface));
    EXPECT_EQ(qApp->palette().color(QPalette::Base), tokenColor(Scheme::dark, Token::surface));
    EXPECT_EQ(qApp->palette().color(QPalette::PlaceholderText), tokenColor(Scheme::dark, Token::muted));
    EXPECT_TRUE(qApp->styleSheet().contains("chevron-dark"));
    Theme::instance().choose(ThemeChoice::light);
    EXPECT_TRUE(qApp->styleSheet().contains("chevron-light"));
    EXPECT_EQ(readColor(icon("home", Token::accent), QIcon::Normal), tokenColor(Scheme::light, Token::accent));
    EXPECT_EQ(makeHatch(Token::worse).style(), Qt::BDiagPattern);
    EXPECT_EQ(makeHatch(Token::worse).color(), color(Token::worse));
}

TEST(SeriesTokens, WrapInBothDirections)
{
    EXPECT_EQ(seriesToken(-1), Token::series8);
    EXPECT_EQ(seriesToken(9), Token::series2);
    EXPECT_EQ(tokenColor(Scheme::light, Token::bg), QColor(0xF5, 0xF7, 0xFA));
    EXPECT_EQ(tokenColor(Scheme::dark, Token::bg), QColor(0x12, 0x16, 0x1C));
}

TEST(CardPlaces, AreNextToTheirTarget)
{
    const QRect room(0, 0, 1000, 600);
    const QSize card(400, 150);
    EXPECT_EQ(placeBeside({100, 100, 500, 50}, {}, card, room).topLeft(), QPoint(100, 158)) << "below";
    EXPECT_EQ(placeBeside({100, 440, 500, 150}, {}, card, room).topLeft(), QPoint(100, 440 - 8 - 150)) << "above";
    EXPECT_EQ(placeBeside({0, 0, 300, 600}, {}, card, room).topLeft(), QPoint(308, 0)) << "right of it";
    EXPECT_EQ(placeBeside({700, 0, 300, 600}, {}, card, room).topLeft(), QPoint(700 - 8 - 400, 0)) << "left of it";
    EXPECT_EQ(placeBeside({900, 100, 50, 50}, {}, card, room).topLeft(), QPoint(600, 158)) << "within the room";
    EXPECT_EQ(placeBeside({100, 100, 500, 50}, {{100, 158, 400, 150}}, card, room).intersects(QRect(100, 158, 400, 150)), false)
        << "nor over what the step mentions, too";
}

} // namespace
} // namespace kl::ui
