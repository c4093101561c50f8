// SPDX-License-Identifier: MIT
// A finding of another diagnosis tree on the Diagnose page, and diagnosing again.
#include "ui/pages/diagnose/tree_line.h"
#include "ui/pages/diagnose_page.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>

namespace kl::ui {
namespace {

class TreeLineTest : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(folder.isValid());
        auto opened = AppContext::open(utf8(folder.filePath("test.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        Result<RunRecord> run = context->engine()->bench.profile({"transpose", "naive", {}}, {}, kSessionTier);
        ASSERT_TRUE(run) << run.error().message;
        id = run->id;
        window = std::make_unique<MainWindow>(*context);
        window->show();
    }
    void TearDown() override { waitForJobs(); }
    void open() const
    {
        window->showPage("diagnose", q(id.text));
        ASSERT_TRUE(waitForJobs());
    }
    TreeLine* line() const { return window->page("diagnose")->findChild<TreeLine*>(); }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    RunId id;
};

TEST_F(TreeLineTest, AFindingOfTheCurrentTreeHasNone)
{
    open();
    EXPECT_FALSE(line()->isVisible());
}

TEST_F(TreeLineTest, AnotherTreesFindingIsDiagnosedAgainAndStored)
{
    StoredDiagnosis old{"2026-01-01T00:00:00.000Z", *context->store().run(id)->diagnosis};
    old.diagnosis.treeVersion = "0123456789ab";
    old.diagnosis.finding.classId = "latency-bound";
    ASSERT_TRUE(context->engine()->store->saveDiagnosis(id, old));
    open();
    EXPECT_TRUE(line()->isVisible());
    EXPECT_TRUE(line()->findChild<QLabel*>("findingsTree")->text().contains("0123456789ab"));
    line()->findChild<QPushButton*>("diagnoseAgain")->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(line()->isVisible());
    EXPECT_EQ(context->store().run(id)->diagnosis->finding.classId, "uncoalesced");
    EXPECT_EQ(context->store().diagnoses(id)->size(), 3U);
}

} // namespace
} // namespace kl::ui
