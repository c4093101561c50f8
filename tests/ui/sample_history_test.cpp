// SPDX-License-Identifier: MIT
// The sample has two histories: it opens on the recorded one, and a link in its banner shows the documents'.
#include "sessions/shipped/sample_store.h"
#include "ui/charts/xy_chart.h"
#include "ui/context/app_context.h"
#include "ui/models/session_table_model.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

class SampleHistory : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(kSampleLocation, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->resize(1280, 800);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override
    {
        waitForJobs();
        window.reset();
        QSettings().remove(QStringLiteral("place"));
    }
    Page* page(const char* id)
    {
        window->showPage(QLatin1String(id));
        EXPECT_TRUE(waitForJobs());
        return window->page(QLatin1String(id));
    }
    QPushButton* link() const { return window->findChild<QPushButton*>(QStringLiteral("otherHistory")); }
    void press()
    {
        ASSERT_TRUE(link()->isVisible());
        QTest::mouseClick(link(), Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
    }
    /// Of the table of all sessions.
    int sessions() { return page("history")->findChild<DataTable*>(QStringLiteral("history-sessions"))->model()->rowCount(); }

    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

TEST_F(SampleHistory, OpensOnTheRecordedSessions)
{
    EXPECT_GE(sessions(), 15);
    for (const XYChart* chart : page("history")->findChildren<XYChart*>()) {
        ASSERT_FALSE(chart->spec().series.empty());
        EXPECT_GE(chart->spec().series.front().points.size(), 15U) << "every chart has something to show";
    }
    EXPECT_FALSE(page("home")->findChild<QLabel*>(QStringLiteral("planned-N+6")));
}

TEST_F(SampleHistory, OneLinkShowsTheDocumentsAndTheRecordedOnesAgain)
{
    const int recorded = sessions();
    press();
    EXPECT_EQ(context->location(), QLatin1String(kDocumentsLocation));
    EXPECT_TRUE(context->isSample());
    EXPECT_EQ(window->currentPage(), QStringLiteral("history"));
    EXPECT_EQ(sessions(), 7);
    EXPECT_TRUE(page("home")->findChild<QLabel*>(QStringLiteral("planned-N+6")));
    EXPECT_EQ(context->store().patterns()->size(), 23U);
    press();
    EXPECT_EQ(context->location(), QLatin1String(kSampleLocation));
    EXPECT_EQ(sessions(), recorded);
    EXPECT_EQ(context->store().patterns()->size(), 24U) << "one was learned in the recorded sessions";
}

TEST_F(SampleHistory, TheLinkIsOnlyInTheSample)
{
    QTemporaryDir folder;
    ASSERT_TRUE(context->switchTo(utf8(folder.filePath(QStringLiteral("own.db")))));
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(link()->isVisible());
    EXPECT_EQ(sessions(), 0);
    ASSERT_TRUE(context->switchTo(kSampleLocation)); // the folder goes
}

} // namespace
} // namespace kl::ui
