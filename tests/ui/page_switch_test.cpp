// SPDX-License-Identifier: MIT
// What coming to a page costs: reads, rows and layouts, none of which may grow with the database.
#include "tests/support/synthetic_history.h"
#include "ui/context/baselines.h"
#include "ui/widgets/text.h"
#include "ui/window/idle_pages.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QAbstractItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

/// Counts what Qt is asked to do while it lives.
class Counted : public QObject {
public:
    Counted()
    {
        qApp->installEventFilter(this);
        QObject::connect(&JobMonitor::instance(), &JobMonitor::started, this, [this] { ++jobs; });
    }
    bool eventFilter(QObject*, QEvent* event) override
    {
        layouts += event->type() == QEvent::LayoutRequest;
        polished += event->type() == QEvent::Polish;
        return false;
    }
    int jobs = 0;
    int layouts = 0;
    int polished = 0; ///< widgets that were not ready to be shown
};

class PageSwitch : public testing::Test {
protected:
    void open(std::int64_t runs, std::int64_t sessions)
    {
        window.reset();
        context.reset();
        const QString file = folder.filePath(QStringLiteral("%1.db").arg(runs));
        auto opened = AppContext::open(utf8(file), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        ASSERT_TRUE(support::writeSynthetic(*context->engine()->store, {runs, 0, sessions, 1}));
        window = std::make_unique<MainWindow>(*context);
        window->resize(1280, 800);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override { waitForJobs(); }
    void visit(const QString& page)
    {
        window->showPage(page);
        ASSERT_TRUE(waitForJobs());
        for (int turn = 0; turn < 3; ++turn)
            QCoreApplication::processEvents();
    }
    int rows(const QString& page) const
    {
        int most = 0;
        for (const auto* view : window->page(page)->findChildren<QAbstractItemView*>())
            if (view->model())
                most = std::max(most, view->model()->rowCount());
        return most;
    }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

TEST_F(PageSwitch, APageThatNothingChangedUnderReadsNothingAgain)
{
    open(50, 5);
    for (const PageEntry& entry : window->entries())
        visit(entry.id);
    const auto again = [this] {
        QStringList readers;
        for (const PageEntry& entry : window->entries()) {
            const Counted counted;
            visit(entry.id);
            if (counted.jobs > 0)
                readers << entry.id;
        }
        return readers;
    };
    QStringList readers = again();
    for (int more = 0; more < 2 && !readers.isEmpty(); ++more) // the minute changed: every page is read once more, some in the next round
        readers = again();
    EXPECT_EQ(readers.join(u' ').toStdString(), "");
    ASSERT_TRUE(context->engine()->store->setTag("run:" + support::syntheticRun({50, 0, 5, 1}, 3).id.text, "new", true));
    Counted counted;
    visit(QStringLiteral("home"));
    EXPECT_GT(counted.jobs, 0) << "something was written";
}

TEST_F(PageSwitch, APageThatWasMadeAheadIsReadyOnItsFirstVisit)
{
    const auto polishedByVisits = [this] {
        const Counted counted;
        for (const PageEntry& entry : window->entries()) {
            visit(entry.id);
            EXPECT_EQ(window->currentPage(), entry.id);
        }
        return counted.polished;
    };
    open(50, 5);
    const int unprepared = polishedByVisits();
    open(51, 5);
    auto* ahead = new IdlePages(*window);
    while (ahead->step())
        ASSERT_TRUE(waitForJobs());
    EXPECT_LT(polishedByVisits(), unprepared / 2) << "of " << unprepared;
    const Counted counted;
    EXPECT_FALSE(ahead->step());
    EXPECT_EQ(counted.jobs, 0);
}

TEST_F(PageSwitch, ItsRowsAndLayoutsDoNotGrowWithTheDatabase)
{
    std::map<QString, std::pair<int, int>> cost; // rows and layouts by page, of the smaller one
    for (const auto& [runs, sessions] : {std::pair{1500, 12}, std::pair{6000, 12}}) {
        open(runs, sessions);
        for (const PageEntry& entry : window->entries()) {
            visit(entry.id);
            Counted counted;
            context->engine()->store->setSetting("touched", std::to_string(runs) + utf8(entry.id)).ok();
            visit(entry.id);
            const std::pair<int, int> now{rows(entry.id), counted.layouts};
            if (const auto before = cost.find(entry.id); before == cost.end())
                cost[entry.id] = now;
            else {
                EXPECT_LE(now.first, before->second.first) << utf8(entry.id);
                EXPECT_LE(now.second, 2 * before->second.second + 20) << utf8(entry.id);
            }
        }
    }
}

} // namespace
} // namespace kl::ui
