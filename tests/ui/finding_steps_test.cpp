// SPDX-License-Identifier: MIT
// Where the steps of a finding lead: links at its fixes, two variants on Compare that were not measured yet, tools of the window.
#include "core/base/shell_words.h"
#include "tests/support/store_support.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/context/app_context.h"
#include "ui/context/step_doors.h"
#include "ui/jobs/job.h"
#include "ui/pages/compare/compare_tabs.h"
#include "ui/pages/compare/opening_pair.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/diagnose/diagnosis_side.h"
#include "ui/pages/home/new_kernel_dialog.h"
#include "ui/pages/home/program_dialog.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"
#include "ui/window/tools/calibrate_dialog.h"
#include "ui/window/tools/export_dialog.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>

#include <memory>

namespace kl::ui {
namespace {

TEST(FindingSteps, AreLinksAtTheirFixEachOnce)
{
    const NextStep compare{StepId::compareInTurn, {{StepArgument::kernel, "fma/b"}, {StepArgument::other, "fma/a"}}};
    const NextStep session = sessionOn("fma/b");
    RunRecord run = countedRun("now", 1000);
    run.diagnosis->finding.fixes = {{"fma/a", "First", {}, 0.9, "fma/a", "", "", 0, {}, {compare}},
                                    {"pad", "Second", {}, 0.5, "", "", "pad", 0, {}, {session}},
                                    {"swizzle", "Third", {}, 0.4, "", "", "swizzle", 0, {}, {session, {StepId::treeNames}}}};
    DiagnosisSide side;
    side.setRun(run, {}, {});
    settleWidgets();
    const auto links = side.findChildren<QPushButton*>("step");
    ASSERT_EQ(links.size(), 2) << "one is shown above, one is for the command line alone";
    EXPECT_EQ(links[0]->property("step").toString(), "compare-in-turn");
    EXPECT_EQ(links[1]->property("step").toString(), "new-session");
    const QSignalSpy requested(&side, &DiagnosisSide::stepRequested);
    links[0]->click();
    links[1]->click();
    ASSERT_EQ(requested.count(), 2);
    EXPECT_EQ(requested[0][0].value<NextStep>(), compare);
    EXPECT_EQ(requested[1][0].value<NextStep>(), session);
    for (Fix& fix : run.diagnosis->finding.fixes)
        fix.next.clear();
    side.setRun(run, {}, {});
    settleWidgets();
    EXPECT_TRUE(side.findChildren<QPushButton*>("step").isEmpty()) << "a finding of an earlier version";
}

TEST(WantedPairs, AreTheNewestRunsOfBothInOnePlace)
{
    const auto listed = [](const char* id, const char* kernel, const char* problem) {
        RunSummary run;
        run.id.text = id;
        run.kernel = kernel;
        run.problem = problem;
        run.gpuNs = 5;
        return run;
    };
    const std::vector<RunSummary> runs{listed("6", "k/b", "M=2"), listed("5", "k/a", "M=1"), listed("4", "k/b", "M=1"),
                                       listed("3", "k/a", "M=2"), listed("2", "k/b", "M=1"), listed("1", "k/c", "M=1")};
    using Ids = std::vector<std::string>;
    EXPECT_EQ(listKernelRuns("k/a", "k/b", "", runs), (Ids{"5", "4"}));
    EXPECT_EQ(listKernelRuns("k/a", "k/b", "M=2", runs), (Ids{"3", "6"}));
    EXPECT_EQ(listKernelRuns("k/b", "k/a", "M=1", runs), (Ids{"4", "5"})) << "A first";
    EXPECT_EQ(listKernelRuns("k/b", "k/c", "M=2", runs), Ids{"6"}) << "the other was not measured there";
    EXPECT_EQ(listKernelRuns("k/c", "k/d", "", runs), Ids{"1"});
    EXPECT_TRUE(listKernelRuns("k/d", "k/e", "", runs).empty());
}

TEST(WantedPairs, AreMeasuredInTurnWithoutRunsOfTheirOwn)
{
    const support::TempDir folder;
    const auto context = AppContext::open((folder / "own.db").string(), DeviceSpec::sample());
    ASSERT_TRUE(context) << context.error().message;
    ComparePage page(**context);
    page.resize(1000, 700);
    page.setVisible(true);
    const auto open = [&](const char* argument) {
        page.open(QString::fromLatin1(argument));
        page.refresh();
        EXPECT_TRUE(waitForJobs());
    };
    auto* action = page.findChild<QPushButton*>("stateAction");
    open("kernels:transpose/naive transpose/tiled");
    ASSERT_TRUE(action->isVisible());
    EXPECT_FALSE(page.findChild<CompareTabs*>()->isVisible());
    action->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(page.findChild<CompareTabs*>()->isVisible());
    EXPECT_FALSE(page.findChild<QPushButton*>("measureAb")->isVisible()) << "it is measured";
    open("kernels:transpose/naive transpose/tiled");
    EXPECT_FALSE(page.findChild<CompareTabs*>()->isVisible()) << "asked for again, it can be measured again";
    open("kernels:no address");
    EXPECT_TRUE(action->isVisible());
}

/// A window on a database of its own, which measures on the recording.
class WindowTools : public testing::Test {
protected:
    void SetUp() override
    {
        QSettings().remove("window");
        auto opened = AppContext::open((folder / "own.db").string(), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        ASSERT_TRUE(waitForJobs());
        window->showPage("history");
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override
    {
        waitForJobs();
        window.reset();
        context.reset();
        QSettings().remove("window");
    }
    void take(const NextStep& step) const
    {
        const std::optional<StepDoor> door = findDoor(step);
        ASSERT_TRUE(door);
        context->navigate(door->page, door->argument);
        ASSERT_TRUE(waitForJobs());
    }
    template <class Dialog> bool opens(StepId id) const
    {
        take({id});
        auto* dialog = window->findChild<Dialog*>();
        const bool shown = dialog && dialog->isVisible();
        delete dialog;
        return shown;
    }

    support::TempDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

TEST_F(WindowTools, AreOpenedByTheirSteps)
{
    EXPECT_TRUE(opens<CalibrateDialog>(StepId::calibrate));
    EXPECT_TRUE(opens<ExportDialog>(StepId::exportRuns));
    EXPECT_TRUE(opens<ProgramDialog>(StepId::profileProgram));
    EXPECT_EQ(window->currentPage(), "history") << "the page stays";
    window->messages()->clear();
    take({StepId::checkDatabase});
    EXPECT_EQ(window->messages()->count(), 1);
    window->messages()->clear();
    EXPECT_TRUE(opens<NewKernelDialog>(StepId::newKernel));
    context->navigate(QString::fromLatin1(kToolPage), "no-such-tool");
    EXPECT_EQ(window->currentPage(), "home");
    EXPECT_TRUE(window->commands().named("back")->isEnabled()) << "a tool is not a page of the trail";
    EXPECT_EQ(window->commands().named("no-such-tool"), nullptr);
}

TEST_F(WindowTools, BeginWithWhatTheirStepsName)
{
    const auto kernel = [&](const char* address) {
        take({StepId::calibrate, {{StepArgument::kernel, address}}});
        const std::unique_ptr<CalibrateDialog> dialog(window->findChild<CalibrateDialog*>());
        return dialog ? dialog->findChild<QComboBox*>("calibrateKernel")->currentData().toString() : QStringLiteral("no dialog");
    };
    EXPECT_EQ(kernel("transpose/naive"), "transpose/naive");
    EXPECT_EQ(kernel("attention/fused@BLOCK_N=128"), "attention/fused@BLOCK_N=128");
    EXPECT_EQ(kernel("./mine/kernel.json"), "") << "of every family";
    take({StepId::profileProgram, {{StepArgument::program, "/opt/my tools/train"}}});
    const std::unique_ptr<ProgramDialog> dialog(window->findChild<ProgramDialog*>());
    ASSERT_TRUE(dialog);
    const QString line = dialog->findChild<QLineEdit*>("program")->text();
    EXPECT_EQ(*splitShellLine(utf8(line)), std::vector<std::string>{"/opt/my tools/train"}) << line.toStdString();
}

} // namespace
} // namespace kl::ui
