// SPDX-License-Identifier: MIT
#include "ui/jobs/in_turns.h"
#include "ui/jobs/job.h"
#include "ui/widgets/tasks_tray.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QToolButton>

#include <atomic>

namespace kl::ui {
namespace {

/// Blocks until the job is asked to stop.
int untilStopped(const Job& job)
{
    while (!job.stop.stop_requested())
        QThread::msleep(1);
    return -1;
}

TEST(BackgroundJob, DeliversOnTheGuiThread)
{
    BackgroundJob job;
    QThread* worker = nullptr;
    QThread* receiver = nullptr;
    int got = 0;
    job.start(
        "work",
        [&worker](const Job&) {
            worker = QThread::currentThread();
            return 7;
        },
        [&](int value) {
            receiver = QThread::currentThread();
            got = value;
        });
    EXPECT_TRUE(job.running());
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(got, 7);
    EXPECT_EQ(receiver, QThread::currentThread());
    EXPECT_NE(worker, receiver);
    EXPECT_FALSE(job.running());
}

TEST(InTurns, DoesEachPartOnceInItsOrder)
{
    BackgroundJob job;
    std::vector<int> done;
    std::vector<std::function<void()>> parts;
    for (int i = 0; i < 5; ++i)
        parts.emplace_back([&done, i] {
            done.push_back(i);
            QThread::msleep(30); // more than a turn may take
        });
    doInTurns(job, std::move(parts));
    EXPECT_EQ(done, std::vector<int>{0}) << "the others wait for keys";
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(done, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(BackgroundJob, LatestWins)
{
    BackgroundJob job;
    std::vector<int> got;
    job.start(
        "first", [](const Job& handle) { return untilStopped(handle); }, [&](int value) { got.push_back(value); });
    job.start(
        "second", [](const Job&) { return 2; }, [&](int value) { got.push_back(value); });
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(got, std::vector<int>{2});
}

TEST(BackgroundJob, CancelStillDelivers)
{
    BackgroundJob job;
    int got = 0;
    job.start(
        "long", [](const Job& handle) { return untilStopped(handle); }, [&](int value) { got = value; });
    job.cancel();
    EXPECT_TRUE(job.canceling());
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(got, -1);
}

TEST(BackgroundJob, DestructionStopsAndDropsTheResult)
{
    bool delivered = false;
    std::atomic<bool> ended = false;
    {
        BackgroundJob job;
        job.start(
            "long",
            [&ended](const Job& handle) {
                untilStopped(handle);
                ended = true;
                return 1;
            },
            [&](int) { delivered = true; });
    }
    EXPECT_TRUE(ended);
    EXPECT_TRUE(waitForJobs());
    EXPECT_FALSE(delivered);
    EXPECT_EQ(JobMonitor::instance().active(), 0);
}

TEST(BackgroundJob, ProgressIsThrottled)
{
    BackgroundJob job;
    QSignalSpy progressed(&job, &BackgroundJob::progressed);
    job.start(
        "steps",
        [](const Job& handle) {
            for (int i = 0; i < 1000; ++i)
                handle.progress({i, "step " + std::to_string(i), 0, {}});
            return 0;
        },
        [](int) {});
    ASSERT_TRUE(waitForJobs());
    EXPECT_GE(progressed.count(), 1);
    EXPECT_LT(progressed.count(), 1000);
}

TEST(BackgroundJob, AnswersMayBeMoveOnly)
{
    BackgroundJob job;
    int got = 0;
    job.start(
        "move", [](const Job&) { return std::make_unique<int>(5); }, [&](std::unique_ptr<int> value) { got = *value; });
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(got, 5);
}

TEST(BackgroundJob, AReplacedOneStopsAndNothingOfItIsLeft)
{
    BackgroundJob job;
    std::atomic<bool> stopped = false;
    QSignalSpy progressed(&job, &BackgroundJob::progressed);
    job.start(
        "first",
        [&stopped](const Job& handle) {
            handle.progress({1, "first step", 1, 2});
            untilStopped(handle);
            stopped = true;
            return 1;
        },
        [](int) {});
    ASSERT_TRUE(progressed.wait());
    EXPECT_EQ(job.lastProgress().step, "first step");
    job.start(
        "second", [](const Job& handle) { return untilStopped(handle); }, [](int) {});
    EXPECT_TRUE(QTest::qWaitFor([&] { return stopped.load(); }));
    EXPECT_TRUE(job.lastProgress().step.empty());
    job.cancel();
    EXPECT_TRUE(job.canceling());
    job.start(
        "third", [](const Job&) { return 3; }, [](int) {});
    EXPECT_FALSE(job.canceling());
    ASSERT_TRUE(waitForJobs());
}

TEST(TasksTray, ShowsTitledJobsOnly)
{
    TasksTray tray;
    BackgroundJob shown;
    BackgroundJob silent;
    shown.start(
        "profiling transpose/naive", [](const Job& handle) { return untilStopped(handle); }, [](int) {});
    silent.start(
        {}, [](const Job& handle) { return untilStopped(handle); }, [](int) {});
    EXPECT_EQ(tray.count(), 1);
    EXPECT_FALSE(tray.isHidden());
    auto* cancel = tray.findChild<QToolButton*>();
    EXPECT_TRUE(cancel->isEnabled());
    cancel->click();
    EXPECT_TRUE(shown.canceling());
    EXPECT_FALSE(cancel->isEnabled()) << "once is enough";
    silent.cancel();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(tray.count(), 0);
    EXPECT_TRUE(tray.isHidden());
}

} // namespace
} // namespace kl::ui
